import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "../src/api/error";
import { Autosave, type SaveState } from "../src/library/timeline/autosave";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function saver(save: (value: string, revision: number) => Promise<{ revision: number }>) {
  const states: SaveState["kind"][] = [];
  const spy = vi.fn(save);
  return { auto: new Autosave<string>({ save: spy, onState: (state) => states.push(state.kind) }, 1), states, spy };
}

describe("autosave", () => {
  it("waits for the last edit and saves once, on top of the newest revision", async () => {
    const { auto, spy, states } = saver((_, revision) => Promise.resolve({ revision: revision + 1 }));
    auto.change("a");
    auto.change("b");
    await vi.advanceTimersByTimeAsync(1000);
    auto.change("c");
    await vi.advanceTimersByTimeAsync(1000);
    expect(spy.mock.calls).toEqual([
      ["b", 1],
      ["c", 2],
    ]);
    expect(auto.revision).toBe(3);
    expect(auto.clean).toBe(true);
    expect(states.at(-1)).toBe("saved");
  });

  it("does not lose an edit made while saving", async () => {
    let finish: (value: { revision: number }) => void = () => {};
    const { auto, spy } = saver(() => new Promise((resolve) => (finish = resolve)));
    auto.change("a");
    await vi.advanceTimersByTimeAsync(1000);
    auto.change("b");
    finish({ revision: 2 });
    await vi.advanceTimersByTimeAsync(1000);
    expect(spy.mock.calls.at(-1)).toEqual(["b", 2]);
    finish({ revision: 3 });
    await vi.advanceTimersByTimeAsync(0);
    expect(auto.clean).toBe(true);
  });

  it("never has two requests on their way", async () => {
    let open = 0;
    let most = 0;
    const { auto } = saver(async (_, revision) => {
      most = Math.max(most, ++open);
      await new Promise((resolve) => setTimeout(resolve, 900));
      open -= 1;
      return { revision: revision + 1 };
    });
    for (let k = 0; k < 6; k++) {
      auto.change(String(k));
      await vi.advanceTimersByTimeAsync(650);
    }
    await vi.advanceTimersByTimeAsync(5000);
    expect(most).toBe(1);
    expect(auto.clean).toBe(true);
  });

  it("stops at a conflict until somebody decides", async () => {
    let refuse = true;
    const { auto, spy, states } = saver((_, revision) =>
      refuse ? Promise.reject(new ApiError(409, "conflict", "changed")) : Promise.resolve({ revision: revision + 1 }),
    );
    auto.change("mine");
    await vi.advanceTimersByTimeAsync(1000);
    expect(states.at(-1)).toBe("conflict");
    auto.change("mine, edited");
    await vi.advanceTimersByTimeAsync(5000);
    expect(spy).toHaveBeenCalledTimes(1);
    refuse = false;
    await auto.keepMine(7);
    expect(spy.mock.calls.at(-1)).toEqual(["mine, edited", 7]);
    expect(auto.clean).toBe(true);
  });

  it("gives ours up for theirs", async () => {
    const { auto, states } = saver(() => Promise.reject(new ApiError(409, "conflict", "changed")));
    auto.change("mine");
    await vi.advanceTimersByTimeAsync(1000);
    auto.takeTheirs(9);
    expect([auto.clean, auto.revision, states.at(-1)]).toEqual([true, 9, "saved"]);
  });

  it("keeps what failed and tries again on demand", async () => {
    let away = true;
    const { auto, states } = saver((_, revision) =>
      away ? Promise.reject(new ApiError(0, "unreachable", "away")) : Promise.resolve({ revision: revision + 1 }),
    );
    auto.change("a");
    await vi.advanceTimersByTimeAsync(1000);
    expect([states.at(-1), auto.clean]).toEqual(["failed", false]);
    away = false;
    await auto.flush();
    expect(auto.clean).toBe(true);
  });
});
