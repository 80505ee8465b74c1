// What a page owes everybody: speed, the same answers as the program, contrast, names, small screens.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";

import { file, link, start, stop, type, withPage } from "./browser.js";

before(start);
after(stop);

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const phone = { width: 360, height: 740 };

// Names, roles, contrast and what else axe knows.
async function assertAccessible(page) {
  const session = await page.context().newCDPSession(page); // the page's own policy allows no further script
  await session.send("Runtime.evaluate", { expression: axe });
  const found = await page.evaluate(async () => (await window.axe.run()).violations.map(
    (one) => `${one.id}: ${one.nodes.map((node) => `${node.html}\n${node.failureSummary}`).slice(0, 3).join("\n")}`));
  assert.deepEqual(found, []);
}

async function assertFits(page) {
  const [inner, whole] = await page.evaluate(() => [innerWidth, document.documentElement.scrollWidth]);
  assert.ok(whole <= inner, `the page is ${whole} wide on a screen of ${inner}`);
}

const moments = {
  "in the middle": { model: "multi", formula: "((15+5)*(3-4))", step: 0 },
  "at the end": { model: "multi", formula: "((15+5)*(3-4))", step: 2 },
  refused: { model: "multi", formula: "((a&b)|(T&F))", step: 0 },
  wrong: { model: "multi", formula: "((15+5)*(3-$))", step: 0 },
  tree: { model: "derivatives", formula: "d(exp(sin(mul(x,x))))", step: 4, view: "tree" },
  long: { model: "multi", formula: `${"(((15+5)*(3-4))+".repeat(12)}1${")".repeat(12)}`, step: 0 },
  teach: { tab: "teach" },
};

for (const scheme of ["light", "dark"]) {
  for (const [name, size] of [["desktop", undefined], ["phone", phone]]) {
    test(`${scheme} on a ${name}: accessible, and no wider than the screen`, async () => {
      for (const fields of Object.values(moments)) {
        await withPage({ hash: link(fields), scheme, size }, async (page) => {
          await page.locator(".result, .fault, .teach").first().waitFor();
          const details = page.locator("details");
          if (await details.count()) await details.first().evaluate((one) => (one.open = true));
          await assertAccessible(page);
          await assertFits(page);
        });
      }
    });
  }
}

test("colours follow the system", async () => {
  const colour = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const colours = [];
  for (const scheme of ["light", "dark"]) {
    await withPage({ scheme }, async (page) => colours.push(await colour(page)));
  }
  assert.notEqual(colours[0], colours[1]);
});

test("it plays by itself, unless motion is unwanted", async () => {
  await withPage({ motion: "no-preference" }, async (page) => {
    await page.waitForFunction(() => /step=2/.test(location.hash));
  });
  await withPage({ motion: "reduce" }, async (page) => {
    await page.locator(".answer").waitFor();
    await page.waitForTimeout(2000);
    assert.doesNotMatch(page.url(), /step=[12]/);
  });
});

test("all of it can be reached by keyboard, in the order of the page", async () => {
  await withPage({ hash: link({ model: "multi", formula: "((15+5)*(3-4))", step: 0 }) }, async (page) => {
    await page.locator(".answer").waitFor();
    const tops = [];
    for (let i = 0; i < 24; ++i) {
      await page.keyboard.press("Tab");
      tops.push(await page.evaluate(() => {
        const at = document.activeElement;
        return at === document.body ? null : { top: at.getBoundingClientRect().top + scrollY, name: at.ariaLabel ?? at.id ?? at.textContent };
      }));
    }
    const reached = tops.filter(Boolean);
    assert.ok(reached.some(({ name }) => name === "formula") && reached.some(({ name }) => name === "Play"));
    assert.ok(reached.some(({ name }) => /^leaf \(15\+5\), value 20/.test(name)));
  });
});

test("a formula of 10,000 characters takes less than a second", async () => {
  const grow = (size) => (size < 12 ? "(3-4)" : `(${grow((size - 3) / 2)}*${grow((size - 3) / 2)})`);
  const formula = `(${grow(13000)}*${grow(3000)})`;
  assert.ok(formula.length >= 10000, `${formula.length}`);
  await withPage({ hash: link({ model: "multi-compiled", formula: "(1+2)", step: 0 }) }, async (page) => {
    await page.locator(".answer").waitFor();
    const begin = Date.now();
    await type(page, formula);
    await page.locator(".work", { hasText: /\d{3} rewrites/ }).waitFor();
    const milliseconds = Date.now() - begin;
    console.log(`${formula.length} characters: ${milliseconds} ms, typing and drawing included`);
    assert.ok(milliseconds < 1000 * Number(process.env.NRS_SLOW ?? 1), `${milliseconds} ms`);
  });
});

test("1,000 formulas have the answers that the program gives", { skip: !process.env.NRS && "NRS names no program" }, async () => {
  const run = (...args) => execFileSync(process.env.NRS, args, { encoding: "utf8", maxBuffer: 1 << 28 });
  const formulas = ["logic", "listops", "arithmetic", "algebra"].flatMap((domain) =>
    run("generate", domain, "--nesting", "4", "--count", "250", "--seed", "9", "--format", "jsonl")
      .trim().split("\n").map((line) => JSON.parse(line).formula));
  assert.equal(formulas.length, 1000);
  const model = /data-file="(models\/multi[^"]*)"/.exec(readFileSync(file, "utf8"))[1];
  const native = run("simplify", "--model", new URL(`../../${model}`, import.meta.url).pathname, "--json", ...formulas)
    .trim().split("\n").map(JSON.parse);
  await withPage({ hash: link({ model: "multi-compiled", formula: "(1+2)", step: 0 }) }, async (page) => {
    await page.locator(".answer").waitFor();
    const here = await page.evaluate((all) => Promise.all(all.map((one) => window.nrs.simplify("multi-compiled", one))), formulas);
    const brief = ({ formula, result, stop, steps, rounds, domain }) => ({ formula, domain, result, stop, steps, rounds });
    assert.deepEqual(here.map(brief), native.map(brief));
  });
});
