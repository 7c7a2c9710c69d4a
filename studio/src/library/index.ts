import type { Mount } from "../app";
import { Stage, streamMotion, transport } from "../stage";

export const mount: Mount = (root, app) => {
  const stage = new Stage(root, app.theme);
  root.append(transport(stage));
  (globalThis as unknown as Record<string, unknown>)["stage"] = stage;
  return { show: async (route) => {
    const s = await streamMotion((from, count, signal) => app.api.clipMotion(route.params["clip"] ?? "16_01-bvh", from, count, { signal }));
    stage.add(s); stage.clock.seek(Number(route.params["t"] ?? 1)); stage.frameAll("three-quarter");
  }, hide: () => {}, dispose: () => root.replaceChildren() };
};
