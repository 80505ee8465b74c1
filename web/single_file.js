// Puts what a build gives into the one HTML file, so that it opens from a file URL, and says in a policy (CSP) that
// nothing else may run in it.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

import { embedded } from "./embedded.js";

const folder = dirname(fileURLToPath(import.meta.url));
const project = dirname(folder);

const digest = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

// Compressed, as text: the page unpacks it when it needs it. What is a file of the project says which, for a test.
function dataBlock({ id, file }) {
  const packed = gzipSync(readFileSync(file), { level: 9 });
  packed[9] = 255; // the system that packed it: any
  const name = relative(project, file);
  const origin = name.startsWith("build") || name.startsWith("..") ? "" : ` data-file="${name}"`;
  return `<script type="application/gzip" id="${id}"${origin}>${packed.toString("base64")}</script>`;
}

// Of all that the page is made of in this folder; tests/page_sources_test.py computes the same.
function checksumOfSources() {
  const hash = createHash("sha256");
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)))
    .filter((name) => !/^(node_modules|page|test)\//.test(name))
    .sort();
  for (const name of files) hash.update(`${name}\n`).update(readFileSync(join(folder, name)));
  return hash.digest("hex");
}

function policy(script, style) {
  const rules = {
    "default-src": "'none'",
    "script-src": `${digest(script)} 'wasm-unsafe-eval'`,
    "worker-src": "blob:",
    "style-src": digest(style),
    "img-src": "data:",
    "connect-src": "'self'", // a server that sends the page
    "base-uri": "'none'",
    "form-action": "'none'",
  };
  const content = Object.entries(rules).map((rule) => rule.join(" ")).join("; ");
  return `<meta http-equiv="Content-Security-Policy" content="${content}">`;
}

export function singleFile() {
  return {
    name: "single-file",
    enforce: "post",
    generateBundle(_, bundle) {
      const take = (ending) => {
        const name = Object.keys(bundle).find((one) => one.endsWith(ending));
        const part = bundle[name];
        delete bundle[name];
        return String(part.code ?? part.source).trim();
      };
      const script = take(".js").replaceAll("</script", "<\\/script");
      const style = take(".css");
      const html = bundle["index.html"];
      const put = (pattern, text) => {
        if (!pattern.test(html.source)) throw new Error(`index.html has no ${pattern}`);
        html.source = html.source.replace(pattern, () => text);
      };
      put(/<!-- nrs-csp -->/, `${policy(script, style)}\n<meta name="nrs-sources" content="${checksumOfSources()}">`);
      put(/\s*<link rel="stylesheet"[^>]*>/, `\n<style>${style}</style>`);
      put(/\s*<script type="module"[^>]*><\/script>/, "");
      const data = embedded().map(dataBlock).join("\n");
      put(/<\/body>/, `${data}\n<script type="module">${script}</script>\n</body>`);
    },
  };
}
