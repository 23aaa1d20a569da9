import { dirname } from "node:path";
import { defineConfig } from "vite";

const packages = `${dirname(import.meta.dirname)}/`;

export default defineConfig({
  root: import.meta.dirname,
  // The libraries are written for React. Preact is a tenth of its size.
  resolve: {
    alias: [
      { find: /^react\/jsx-runtime$/, replacement: "preact/jsx-runtime" },
      { find: /^react(-dom)?$/, replacement: "preact/compat" },
      // From the sources: the page can be built before the packages are.
      { find: /^@haft\/(core|contract)$/, replacement: `${packages}$1/src/index.ts` },
      { find: /^@haft\/(core|contract)\/internal$/, replacement: `${packages}$1/src/internal.ts` },
    ],
  },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: "../platform/dist/page",
    emptyOutDir: true,
    target: "es2023",
    // Everything comes as a file of its own: the page allows nothing inline.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
    reportCompressedSize: false,
    rolldownOptions: {
      // For servers that render React, which there is none of here.
      onLog: (level, log, report) => {
        if (log.code !== "MODULE_LEVEL_DIRECTIVE") report(level, log);
      },
    },
  },
});
