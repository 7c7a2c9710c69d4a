import { describe, expect, it, vi } from "vitest";
import { Client, type Line } from "../src/api/client";
import { ApiError } from "../src/api/error";
import { keepDraft, draftOf } from "../src/graph/threshold-draft";
import { matrixOf, setCell } from "../src/graph/matrix-model";

/** A server that is away until `come` is called. */
function away() {
  const heard: string[] = [];
  let here = false;
  let waiting: (() => void)[] = [];
  const line = {
    state: "lost" as Line["state"],
    back: (signal?: AbortSignal | null) =>
      new Promise<void>((done, give) => {
        waiting.push(done);
        signal?.addEventListener("abort", () => give(new DOMException("", "AbortError")));
      }),
  };
  const fetcher: typeof fetch = (input, init) => {
    if (!here) return Promise.reject(new TypeError("refused"));
    heard.push(`${init?.method} ${input instanceof Request ? input.url : input.toString()}`);
    return Promise.resolve(new Response('{"revision": 4, "id": "j"}', { status: 200 }));
  };
  const come = () => {
    here = true;
    line.state = "open";
    waiting.splice(0).forEach((done) => done());
    waiting = [];
  };
  return { client: new Client("", fetcher, line), line, heard, come };
}

const turn = () => new Promise((done) => setTimeout(done, 0));

describe("while the server is away", () => {
  it("reading and writing wait, and go on when it is back", async () => {
    const { client, come, heard } = away();
    const asked = [client.project(), client.putLabels("a", { revision: 3, rows: [] }), client.cancelJob("j")];
    await turn();
    expect(client.waiting.value).toEqual({ all: 3, writes: 2 });
    expect(heard).toEqual([]);
    come();
    await expect(asked[1]).resolves.toMatchObject({ revision: 4 });
    await Promise.all(asked);
    expect(heard.sort()).toEqual(["GET /api/project", "POST /api/jobs/j/cancel", "PUT /api/clips/a/labels"]);
    expect(client.waiting.value).toEqual({ all: 0, writes: 0 });
  });

  it("a button pressed twice means the same once", async () => {
    const { client, come, heard } = away();
    const build = { kind: "build", options: null } as unknown as Parameters<Client["startJob"]>[0];
    const asked = [client.startJob(build), client.startJob(build)];
    await turn();
    come();
    const [one, other] = await Promise.all(asked);
    expect(one).toBe(other);
    expect(heard).toEqual(["POST /api/jobs"]);
    await client.startJob(build);
    expect(heard).toHaveLength(2);
  });

  it("what nobody wants any more is given up", async () => {
    const { client } = away();
    const given = new AbortController();
    const asked = client.account({ signal: given.signal });
    await turn();
    given.abort();
    await expect(asked).rejects.toMatchObject({ code: "aborted" });
    expect(client.waiting.value.all).toBe(0);
  });

  it("a request that may have been heard is not sent twice", async () => {
    const fetcher = vi.fn<typeof fetch>(() => Promise.reject(new TypeError("broke")));
    const line: Line = { state: "open", back: () => new Promise(() => {}) };
    const failed = new Client("", fetcher, line).cancelJob("j");
    await expect(failed).rejects.toBeInstanceOf(ApiError);
    expect(fetcher).toHaveBeenCalledTimes(1);
  });
});

describe("thresholds that were not applied", () => {
  const shelf = () => {
    const kept = new Map<string, string>();
    return {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, text: string) => void kept.set(key, text),
      removeItem: (key: string) => void kept.delete(key),
    };
  };
  const saved = matrixOf(["walk", "run"], 6, 20, [
    [null, 4],
    [null, null],
  ]);
  it("are there again after a reload, in the same project and with the same labels", () => {
    const kept = shelf();
    const draft = setCell(saved, 1, 0, 9);
    keepDraft(kept, "mine", draft);
    expect(draftOf(kept, "mine", saved)).toEqual(draft);
    expect(draftOf(kept, "other", saved)).toBeNull();
    expect(draftOf(kept, "mine", { ...saved, labels: ["walk", "jump"] })).toBeNull();
    keepDraft(kept, "mine", null);
    expect(draftOf(kept, "mine", saved)).toBeNull();
  });
  it("that make no sense are dropped", () => {
    for (const text of ["{", "null", '{"project":"mine","labels":["walk","run"],"default":-1,"cells":[]}', "[]"]) {
      const kept = shelf();
      kept.setItem("gaitway.thresholds.draft", text);
      expect(draftOf(kept, "mine", saved)).toBeNull();
    }
  });
});
