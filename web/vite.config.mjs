import { defineConfig } from "vite";

// The node forbids the page whatever does not come from itself, so nothing is put inline.
export default defineConfig({
  build: {
    outDir: "../dist",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  esbuild: { jsx: "automatic", jsxImportSource: "preact" },
  test: { include: ["src/**/*.test.ts"] },
});
