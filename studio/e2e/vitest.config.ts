import { defineConfig } from "vitest/config";

/**
 * Three things a real browser is driven for: `npm run e2e` (tests), `npm run measure` (docs/results/studio-page.md, studio-tasks.md) and
 * `npm run tour` (docs/pictures/studio-*.png). What is measured or pictured runs alone; of the tests two files run at once, each with a server,
 * a browser and a project of its own: much of a test is waiting for an answer, a frame or a file.
 */
const kind = process.env["STUDIO_RUN"] ?? "e2e";

/**
 * Left out by `npm run e2e:quick`, which the one test command runs so that it ends in time: what they drive is held by tests of the
 * server, of the program or of the page's logic as well.
 */
const LONG = ["address", "crash", "folder", "many", "player"];
const quick = process.env["STUDIO_QUICK"] === "1";
if (quick) console.info(`left to \`npm run e2e\`: ${LONG.join(", ")}`);

export default defineConfig({
  test: {
    include: [`e2e/*.${kind}.ts`],
    exclude: quick ? LONG.map((name) => `e2e/${name}.e2e.ts`) : [],
    globalSetup: kind === "e2e" ? ["e2e/harness/demo.ts"] : [],
    fileParallelism: kind === "e2e",
    maxWorkers: 2,
    pool: "forks",
    // Ceilings, not expectations: a cold machine with other work to do takes many times what a warm one does.
    testTimeout: 600_000,
    hookTimeout: 300_000,
    reporters: ["verbose"],
    // A test that passes only the second time hides something.
    retry: 0,
  },
});
