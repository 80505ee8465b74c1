// One HTML file with everything inside: script, style, the runtime in WebAssembly and some models.
import { defineConfig } from "vite";

import { runtime } from "./embedded.js";
import { singleFile } from "./single_file.js";

export default defineConfig({
  esbuild: { jsx: "automatic", jsxImportSource: "preact", legalComments: "none" },
  resolve: { alias: { "virtual:nrs": runtime(".mjs") } },
  worker: { format: "iife" },
  build: { target: "es2022", modulePreload: false, reportCompressedSize: false, emptyOutDir: true },
  plugins: [singleFile()],
});
