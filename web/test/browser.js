// A page in headless Chromium, from a file URL unless a test serves it.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { chromium } from "playwright-core";

export const root = fileURLToPath(new URL("../..", import.meta.url));
export const file = process.env.NRS_PAGE ?? join(root, "web/page/index.html");
export const address = pathToFileURL(file).href;

let profile, context;

export async function start() {
  profile = mkdtempSync(join(tmpdir(), "nrs-page-"));
  context = await chromium.launchPersistentContext(profile, {
    executablePath: "/usr/bin/chromium",
    headless: true,
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync"],
  });
}

export async function stop() {
  await context?.close();
  rmSync(profile, { recursive: true, force: true });
}

// What a link is for: a model, a formula and a moment.
export const link = (fields) => `#${new URLSearchParams(fields)}`;

// Opens the page, does something with it, and insists that nothing was complained about and nobody was asked.
export async function withPage(options, work) {
  const page = await context.newPage();
  page.setDefaultTimeout(30000);
  const said = [], asked = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && said.push(message.text()));
  page.on("pageerror", (error) => said.push(String(error)));
  page.on("request", (request) => /^(file|data|blob):/.test(request.url()) || asked.push(request.url()));
  try {
    await page.setViewportSize(options.size ?? { width: 1280, height: 900 });
    await page.emulateMedia({ colorScheme: options.scheme ?? "light", reducedMotion: options.motion ?? "reduce" });
    await page.goto((options.address ?? address) + (options.hash ?? ""));
    await work(page);
    if (said.length) throw new Error(`the console says: ${said.join("\n")}`);
    const others = asked.filter((url) => !options.served || !url.startsWith(options.address));
    if (others.length) throw new Error(`the page asked for ${others.join(", ")}`);
  } finally {
    await page.close();
  }
}

export const answerOf = (page) => page.locator(".answer").textContent();
export const type = (page, formula) => page.getByLabel("Formula", { exact: true }).fill(formula);
// The text of the formula on the stage, without the values below its leaves.
export const stageOf = (page) =>
  page.locator(".stage-text").evaluate((stage) => {
    const copy = stage.cloneNode(true);
    for (const extra of copy.querySelectorAll(".value, .tip")) extra.remove();
    return copy.textContent;
  });
