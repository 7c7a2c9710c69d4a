import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

// `npm run dev` serves the page with hot reload and passes /api on to a running `gaitway studio`.
const server = process.env["GAITWAY_STUDIO"] ?? "http://127.0.0.1:4870";

const proxy = {
  // The server refuses foreign hosts and origins; the page of the dev server is ours.
  "/api": { target: server, ws: true, changeOrigin: true, headers: { origin: server } },
};

/** Every text also packed as tightly as it goes, once, here: the server hands out what a browser takes (`page.rs`). */
const packed: Plugin = {
  name: "packed",
  apply: "build",
  generateBundle: {
    order: "post",
    handler(_, bundle) {
      for (const [fileName, made] of Object.entries(bundle)) {
        if (!/\.(js|css|html|svg)$/.test(fileName)) continue;
        const bytes = Buffer.from(made.type === "chunk" ? made.code : made.source);
        const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
        this.emitFile({ type: "asset", fileName: `${fileName}.br`, source: brotliCompressSync(bytes, quality) });
        this.emitFile({ type: "asset", fileName: `${fileName}.gz`, source: gzipSync(bytes, { level: 9 }) });
      }
    },
  },
};

export default defineConfig({
  base: "./",
  plugins: [packed],
  build: {
    // Inside the crate that carries it, so that the packed crate has it too.
    outDir: "../crates/gaitway-studio/page",
    emptyOutDir: true,
    target: ["chrome123", "firefox128", "safari17.5"],
    // The content policy has no data: sources, so nothing may be inlined as one.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 800,
    rolldownOptions: {
      // three.js changes less often than our own code: a chunk of its own stays in the browser's cache. What reads meshes is
      // only fetched where there is one.
      output: {
        codeSplitting: {
          groups: [{ name: "three", test: /node_modules[\\/]three[\\/](?!examples[\\/]jsm[\\/](loaders|utils))/ }],
        },
      },
    },
  },
  server: { proxy },
  preview: { proxy },
  test: { include: ["test/**/*.test.ts"] },
});
