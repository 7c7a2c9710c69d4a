/** A server and a browser for the tests of one file, and a check after each of them. */
import { cpSync } from "node:fs";
import { afterAll, afterEach, beforeAll, expect, inject } from "vitest";
import type { Browser } from "playwright-core";
import { Tab, launch, type TabOptions } from "./browser";
import { StudioServer, remove, scratch } from "./server";

export interface Fixture {
  server: StudioServer;
  readonly browser: Browser;
  /** The project's folder. */
  readonly folder: string;
  open(options?: TabOptions): Promise<Tab>;
  /** Ends the server without warning, and starts it again on the same folder and port; `between` is what happens while it is gone. */
  restart(between?: () => Promise<void>): Promise<void>;
}

export function useStudio(options: { inputs?: () => readonly string[] | Promise<readonly string[]> } = {}): Fixture {
  const folder = scratch("studio");
  const project = `${folder}/project`;
  const tabs: Tab[] = [];
  let browser: Browser | undefined;
  let server: StudioServer | undefined;
  let inputs: readonly string[] = [];

  beforeAll(async () => {
    inputs = (await options.inputs?.()) ?? [];
    // Measurements and the tour begin as a user does.
    const demo: string | undefined = inject("demo");
    if (inputs.length === 0 && demo) cpSync(demo, project, { recursive: true });
    [browser, server] = await Promise.all([launch(), StudioServer.start({ project, inputs })]);
  });

  afterEach(async (context) => {
    const failed = context.task.result?.state === "fail";
    const bad = tabs.flatMap((tab) => tab.unexpected);
    if (failed || bad.length > 0) {
      for (const [index, tab] of tabs.entries())
        await tab.picture(`failed-${context.task.name}-${index + 1}`, true).catch(() => {});
      if (server?.words) console.error(`the server said:\n${server.words}`);
    }
    await Promise.all(tabs.splice(0).map((tab) => tab.close().catch(() => {})));
    expect(bad, "what went wrong on the pages").toEqual([]);
  });

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    remove(folder);
  });

  const open = async (tab: TabOptions = {}) => {
    if (!browser || !server) throw new Error("not started");
    const made = await Tab.open(browser, server.url, tab);
    tabs.push(made);
    return made;
  };
  return {
    get server() {
      if (!server) throw new Error("not started");
      return server;
    },
    set server(next) {
      server = next;
    },
    get browser() {
      if (!browser) throw new Error("not started");
      return browser;
    },
    folder,
    open,
    restart: async (between) => {
      const port = server?.port ?? 0;
      await server?.kill();
      await between?.();
      server = await StudioServer.start({ project, inputs, port });
    },
  };
}
