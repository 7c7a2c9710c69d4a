import { describe, expect, it, vi } from "vitest";
import { Client, withQuery } from "../src/api/client";
import { ApiError, errorFromAnswer, messageOf } from "../src/api/error";
import { retryDelay, eventsUrl } from "../src/api/events";
import { decodeHeatmap } from "../src/api/heatmap";
import { uploadGroups } from "../src/api/upload";

const answer = (status: number, body: unknown) =>
  new Response(typeof body === "string" ? body : JSON.stringify(body), { status });

async function failure(promise: Promise<unknown>): Promise<ApiError> {
  const error = await promise.then(
    () => null,
    (cause: unknown) => cause,
  );
  expect(error).toBeInstanceOf(ApiError);
  return error as ApiError;
}

describe("the client", () => {
  it("asks for parts of a motion", () => {
    expect(withQuery("/x", { from: 0, count: undefined, a: "b c" })).toBe("/x?from=0&a=b%20c");
    expect(withQuery("/x", {})).toBe("/x");
  });
  it("sends JSON and says so", async () => {
    const fetcher = vi.fn<typeof fetch>(() => Promise.resolve(answer(200, { revision: 3 })));
    await expect(new Client("", fetcher).putLabels("walk 1", { revision: 2, rows: [] })).resolves.toEqual({
      revision: 3,
    });
    const [url, init] = fetcher.mock.calls[0]!;
    expect(url).toBe("/api/clips/walk%201/labels");
    expect(init).toMatchObject({
      method: "PUT",
      body: '{"revision":2,"rows":[]}',
      headers: { "Content-Type": "application/json" },
      keepalive: true,
    });
  });
  it("says which project it is about, in requests and in addresses", async () => {
    const fetcher = vi.fn<typeof fetch>(() => Promise.resolve(answer(200, [])));
    const client = new Client("", fetcher);
    await client.clips();
    client.project_key = "abc";
    await client.clips();
    const said = fetcher.mock.calls.map(([, init]) => (init?.headers as Record<string, string>)["X-Gaitway-Project"]);
    expect(said).toEqual([undefined, "abc"]);
    expect(client.exportUrl("r", { format: "bvh" })).toContain("project=abc");
    expect(client.clipsZipUrl(["a", "b"], "glb")).toBe("/api/clips.zip?clips=a%2Cb&format=glb&project=abc");
  });
  it("takes an empty answer for nothing", async () => {
    await expect(
      new Client("", () => Promise.resolve(new Response(null, { status: 204 }))).deleteClip("x"),
    ).resolves.toBeNull();
  });
  it("gives the server's words on failure", async () => {
    const body = {
      error: { code: "unprocessable", message: "a.bvh:12: expected a number", hint: "Look there", field: "file" },
    };
    const error = await failure(new Client("", () => Promise.resolve(answer(422, body))).clips());
    expect([error.status, error.code, error.message, error.hint, error.field]).toEqual([
      422,
      "unprocessable",
      "a.bvh:12: expected a number",
      "Look there",
      "file",
    ]);
    expect(error.worded).toBe("a.bvh:12: expected a number. Look there");
  });
  it("has words of its own for strange answers and for none", async () => {
    expect(errorFromAnswer(502, "<html>").message).toMatch(/502/);
    expect(errorFromAnswer(404, '{"error": "gone"}').code).toBe("bad-request");
    const away = await failure(new Client("", () => Promise.reject(new TypeError("fetch failed"))).project());
    expect([away.status, away.code]).toEqual([0, "unreachable"]);
    const given = await failure(new Client("", () => Promise.reject(new DOMException("", "AbortError"))).project());
    expect(given.code).toBe("aborted");
    const garbage = await failure(new Client("", () => Promise.resolve(answer(200, "not json"))).project());
    expect(garbage.message).toMatch(/not JSON/);
  });
  it("puts any error into words", () => {
    expect(messageOf(new Error("x"))).toBe("x");
    expect(messageOf("y")).toBe("y");
  });
});

describe("heat maps", () => {
  it("are read and refused", () => {
    const buffer = new ArrayBuffer(28 + 8);
    const view = new DataView(buffer);
    view.setUint32(0, 0x4757484d, false);
    [2, 1, 2].forEach((value, k) => view.setUint32(4 + 4 * k, value, true));
    view.setFloat32(16, 0.5, true);
    view.setUint32(24, 3, true);
    view.setFloat32(28, 7, true);
    view.setFloat32(32, NaN, true);
    const map = decodeHeatmap(buffer);
    expect([map.rows, map.cols, map.row_s, map.every, map.cm[0]]).toEqual([1, 2, 0.5, 3, 7]);
    expect(map.cm[1]).toBeNaN();
    expect(() => decodeHeatmap(buffer.slice(0, 32))).toThrow(/cut short/);
    view.setUint32(4, 1, true);
    expect(() => decodeHeatmap(buffer)).toThrow(/version 1/);
    expect(() => decodeHeatmap(new ArrayBuffer(32))).toThrow(/GWHM/);
  });
});

describe("uploads", () => {
  const names = (groups: File[][]) => groups.map((group) => group.map((file) => file.name));
  it("go together, an AMC with its ASF, a glTF with its BIN", () => {
    const files = ["a.bvh", "1.amc", "s.ASF", "b.glb", "2.amc", "f.gltf", "f.bin"].map((name) => new File([], name));
    expect(names(uploadGroups(files))).toEqual([
      ["s.ASF", "1.amc", "2.amc"],
      ["f.bin", "f.gltf"],
      ["a.bvh", "b.glb"],
    ]);
  });
  it("keep within what the server takes, and nothing is left behind", () => {
    const files = Array.from({ length: 150 }, (_, k) => new File(["x".repeat(10)], `${k}.bvh`));
    expect(uploadGroups(files).map((group) => group.length)).toEqual([64, 64, 22]);
    const small = uploadGroups(files, 100);
    expect(small.every((group) => group.reduce((sum, file) => sum + file.size, 0) <= 100)).toBe(true);
    expect(small.flat().length).toBe(150);
    const amc = [new File([], "s.asf"), ...Array.from({ length: 70 }, (_, k) => new File([], `${k}.amc`))];
    expect(uploadGroups(amc).map((group) => [group[0]!.name, group.length])).toEqual([
      ["s.asf", 64],
      ["s.asf", 8],
    ]);
  });
  it("of what is no motion of its own go alone, so that the server says what is missing", () => {
    expect(names(uploadGroups([new File([], "s.asf"), new File([], "a.bvh")]))).toEqual([["a.bvh"], ["s.asf"]]);
  });
});

describe("the socket", () => {
  it("waits longer each time, but not for ever", () => {
    expect(retryDelay(0)).toBe(300);
    expect(retryDelay(1)).toBe(600);
    expect(retryDelay(100)).toBe(8000);
    expect(eventsUrl({ protocol: "http:", host: "127.0.0.1:4870" })).toBe("ws://127.0.0.1:4870/api/events");
    expect(eventsUrl({ protocol: "https:", host: "x" })).toBe("wss://x/api/events");
  });
});
