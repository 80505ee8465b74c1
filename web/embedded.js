// What the page carries besides its script: files of the project, by the ids under which the page looks for them.
import { fileURLToPath } from "node:url";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

// What emscripten has made, with one of its two endings. scripts/page names another folder to check the page.
export const runtime = (ending) => at(`${process.env.NRS_PAGE_BUILD ?? "../build/page"}/bin/nrs_page${ending}`);

export function embedded() {
  return [
    { id: "nrs-wasm", file: runtime(".wasm") },
    { id: "model-multi-compiled", file: at("../models/multi-compiled.nrs") },
    { id: "model-multi", file: at("../models/multi.nrs") },
    { id: "model-derivatives", file: at("models/derivatives.nrs") },
    { id: "model-booleans", file: at("models/booleans.nrs") },
    { id: "model-sorting", file: at("models/sorting.nrs") },
    { id: "examples-booleans", file: at("../examples/booleans.txt") },
    { id: "examples-sorting", file: at("../examples/sorting.txt") },
    { id: "examples-derivatives", file: at("../examples/derivatives.txt") },
  ];
}
