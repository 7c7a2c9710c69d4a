import { defineConfig } from "vitest/config";

/**
 * Three things a real browser is driven for: `npm run e2e` (tests), `npm run measure` (docs/results/studio-page.md, studio-tasks.md) and
 * `npm run tour` (docs/pictures/studio-*.png). One at a time: the browser draws in software, and two cores are soon used up.
 */
const kind = process.env["STUDIO_RUN"] ?? "e2e";

export default defineConfig({
  test: {
    include: [`e2e/*.${kind}.ts`],
    globalSetup: kind === "e2e" ? ["e2e/harness/demo.ts"] : [],
    fileParallelism: false,
    pool: "forks",
    // Ceilings, not expectations: a cold machine with other work to do takes many times what a warm one does.
    testTimeout: 600_000,
    hookTimeout: 300_000,
    reporters: ["verbose"],
    // A test that passes only the second time hides something.
    retry: 0,
  },
});
