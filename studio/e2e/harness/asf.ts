/** A small skeleton that swings its legs, as ASF and AMC: there is no other program here to write them. */

const BONES = [
  ["lhip", "root", "1 -0.2 0", 0.12, ""],
  ["lfemur", "lhip", "0 -1 0", 0.45, "rx ry rz"],
  ["ltibia", "lfemur", "0 -1 0", 0.43, "rx"],
  ["lfoot", "ltibia", "0 -0.3 1", 0.16, "rx rz"],
  ["rhip", "root", "-1 -0.2 0", 0.12, ""],
  ["rfemur", "rhip", "0 -1 0", 0.45, "rx ry rz"],
  ["rtibia", "rfemur", "0 -1 0", 0.43, "rx"],
  ["rfoot", "rtibia", "0 -0.3 1", 0.16, "rx rz"],
  ["spine", "root", "0 1 0", 0.5, "rx ry rz"],
  ["head", "spine", "0 1 0", 0.2, "rx ry rz"],
] as const;

export function asfText(): string {
  const bones = BONES.map(([name, , direction, length, dof], k) =>
    [
      "  begin",
      `    id ${k + 1}`,
      `    name ${name}`,
      `    direction ${direction}`,
      `    length ${length / 0.0254}`,
      "    axis 0 0 0 XYZ",
      ...(dof
        ? [`    dof ${dof}`, ...dof.split(" ").map((_, n) => `    ${n === 0 ? "limits " : "       "}(-180.0 180.0)`)]
        : []),
      "  end",
    ].join("\n"),
  );
  const children = (of: string) => BONES.filter(([, parent]) => parent === of).map(([name]) => name);
  const rows = ["root", ...BONES.map(([name]) => name)]
    .filter((name) => children(name).length > 0)
    .map((name) => `    ${name} ${children(name).join(" ")}`);
  return [
    ":version 1.10",
    ":name SWING",
    ":units",
    "  mass 1.0",
    "  length 1.0",
    "  angle deg",
    ":documentation",
    "  written by a test",
    ":root",
    "  order TX TY TZ RX RY RZ",
    "  axis XYZ",
    "  position 0 0 0",
    "  orientation 0 0 0",
    ":bonedata",
    ...bones,
    ":hierarchy",
    "  begin",
    ...rows,
    "  end",
    "",
  ].join("\n");
}

export function amcText(frames: number): string {
  const out = ["#!written by a test", ":FULLY-SPECIFIED", ":DEGREES"];
  for (let f = 1; f <= frames; f++) {
    const swing = 25 * Math.sin((2 * Math.PI * f) / 120);
    out.push(String(f), `root 0 ${0.98 / 0.0254} ${(1.2 * f) / 120 / 0.0254} 0 0 0`);
    for (const [name, , , , dof] of BONES) {
      if (!dof) continue;
      const x = name.endsWith("femur") ? (name.startsWith("l") ? swing : -swing) : name.endsWith("tibia") ? 12 : 0;
      out.push(
        `${name} ${dof
          .split(" ")
          .map((axis) => (axis === "rx" ? x.toFixed(4) : "0"))
          .join(" ")}`,
      );
    }
  }
  return `${out.join("\n")}\n`;
}
