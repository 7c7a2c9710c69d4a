import { describe, expect, it } from "vitest";
import { ApiError } from "../src/api/error";
import { cureOf, line, troubleOf, troublesOf } from "../src/library/bad-files";

const file = (name: string) => new File(["x"], name);
const body = (code: "unprocessable" | "conflict" | "internal", message: string, hint: string | null = null) => ({
  code,
  message,
  hint,
  field: null,
});

describe("files that were not added", () => {
  it("are sent again only where that can help", () => {
    for (const code of ["unreachable", "too-slow", "busy", "internal"]) expect(cureOf(code, "so it is")).toBe("again");
    for (const code of ["unprocessable", "bad-request", "too-large", "conflict"])
      expect(cureOf(code, "broken.bvh:4:3: expected a number, found zero")).toBeNull();
    expect(cureOf("unprocessable", "walk.amc: an AMC needs its skeleton, and no ASF lies beside it")).toBe("skeleton");
    expect(cureOf("unprocessable", "walk.txt: no format we read")).toBe("format");
  });
  it("each has its own line, with its name once", () => {
    const sent = [file("a b.bvh"), file("c.bvh")];
    const one = troubleOf({ file: "a_b.bvh", error: body("unprocessable", "a_b.bvh:4: expected a number") }, sent);
    expect(line(one)).toBe("a_b.bvh:4: expected a number");
    expect(one.files.map((f) => f.name)).toEqual(["a b.bvh"]);
    const two = troubleOf(
      { file: "c.bvh", error: body("conflict", "there is a clip `c` already", "give it another name") },
      sent,
    );
    expect(line(two)).toBe("c.bvh: there is a clip “c” already. Give it another name");
  });
  it("of a request that broke are all named, and go again with their skeletons", () => {
    const sent = [file("body.asf"), file("1.amc"), file("2.amc")];
    const troubles = troublesOf(new ApiError(0, "unreachable", "the connection broke during the upload"), sent);
    expect(troubles.map((t) => [t.name, t.cure])).toEqual([
      ["1.amc", "again"],
      ["2.amc", "again"],
    ]);
    expect(troubles[0]!.files.map((f) => f.name)).toEqual(["1.amc", "body.asf"]);
  });
  it("skeletons alone are named as well", () => {
    const troubles = troublesOf(new ApiError(422, "unprocessable", "an ASF or BIN has no motion of its own"), [
      file("body.asf"),
    ]);
    expect(troubles.map((t) => [t.name, t.cure])).toEqual([["body.asf", null]]);
  });
});
