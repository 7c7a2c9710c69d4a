import { defineConfig } from "vitest/config";

// A real browser and a real server per file: slow, and one after the other.
export default defineConfig({
  test: { include: ["e2e/**/*.e2e.ts"], testTimeout: 120_000, hookTimeout: 120_000, fileParallelism: false },
});
