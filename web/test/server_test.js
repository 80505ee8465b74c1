// The Teach tab of the page that a server has sent: from pasted examples to a model that answers.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { answerOf, root, start, stop, type, withPage } from "./browser.js";

const program = process.env.NRS ?? join(root, "build/dev/bin/nrs");
let server, address;

before(async () => {
  server = spawn(program, ["serve", "--port", "0", "--model", "logic", "--quiet"], { stdio: ["ignore", "ignore", "pipe"] });
  address = await new Promise((found, failed) => {
    let said = "";
    server.stderr.on("data", (text) => {
      const match = /listening on (http:\S+)/.exec((said += text));
      if (match) found(match[1]);
    });
    server.on("exit", () => failed(new Error(said)));
  });
  await start();
});

after(async () => {
  await stop();
  const ended = new Promise((end) => server.once("exit", end));
  server.kill();
  assert.equal(await ended, 0);
});

// All that was shown as progress, line by line.
const watchProgress = (page) =>
  page.evaluate(() => {
    globalThis.shown = [];
    new MutationObserver(() => {
      const line = document.querySelector(".progress")?.textContent;
      if (line && line !== globalThis.shown.at(-1)) globalThis.shown.push(line);
    }).observe(document.querySelector(".teach"), { childList: true, characterData: true, subtree: true });
  });

async function teach(page, name, examples, minutes) {
  page.setDefaultTimeout(120000); // it learns on the same cores
  await page.getByRole("button", { name: "Teach", exact: true }).first().click();
  await page.getByLabel("Examples", { exact: true }).fill(examples);
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Minutes at most").fill(String(minutes));
  await watchProgress(page);
  await page.locator(".actions .main").click();
  await page.getByRole("button", { name: "Try it" }).waitFor({ timeout: 600000 });
}

async function tryIt(page, name, formula) {
  await page.getByRole("button", { name: "Try it" }).click();
  await page.waitForFunction((called) => document.querySelector("#model")?.value === called, name);
  await type(page, formula);
  await page.locator(".answer").waitFor();
  return answerOf(page);
}

test("pasted chains become rules that can be read, and a model that answers", async () => {
  await withPage({ address, served: true }, async (page) => {
    const chains = readFileSync(join(root, "examples/derivatives.txt"), "utf8");
    await teach(page, "slopes", chains, 1);
    assert.match(await page.getByLabel("Rules").textContent(), /d\(plus\(\?1,\?2\)\) -> plus\(d\(\?1\),d\(\?2\)\)/);
    assert.equal(await tryIt(page, "slopes", "d(plus(x,x))"), "plus(1,1)");
  });
});

test("where values are computed, the accuracy is seen to rise", async () => {
  await withPage({ address, served: true }, async (page) => {
    const rows = [];
    for (let a = 0; a < 40; ++a) for (let b = 0; b < 40; ++b) if ((a * b) % 7) rows.push(`${a} + ${b},${a + b + 1}`);
    await teach(page, "sums", `question,answer\n${rows.join("\n")}\n`, 1);
    const shown = await page.evaluate(() => globalThis.shown);
    const right = shown.map((line) => /in-distribution +([\d.]+) %/.exec(line)).filter(Boolean).map((found) => Number(found[1]));
    assert.ok(right.length >= 3 && right.at(-1) > right[0] + 50, `shown: ${shown.join("\n")}`);
    assert.equal(await tryIt(page, "sums", "13 + 20"), "34");
  });
});

test("examples that are none are refused with a reason, and learning can be cancelled", async () => {
  await withPage({ address, served: true }, async (page) => {
    await page.getByRole("button", { name: "Teach", exact: true }).first().click();
    await page.getByLabel("Examples", { exact: true }).fill("no example");
    await page.locator(".actions .main").click();
    await page.getByRole("alert").waitFor();
    const rows = [...Array(900).keys()].map((i) => `${i % 30} + ${i / 30 | 0},${(i % 30) + (i / 30 | 0) + 1}`);
    await page.getByLabel("Examples", { exact: true }).fill(`question,answer\n${rows.join("\n")}\n`);
    await page.getByLabel("Name").fill("never");
    await page.locator(".actions .main").click();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("alert").getByText("cancelled").waitFor();
  });
});
