// The page in a browser: typing, stepping, links, errors, models.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { answerOf, link, root, stageOf, start, stop, type, withPage } from "./browser.js";

const exactly = (text) => new RegExp(`^${text.replace(/[()+*]/g, "\\$&")}$`);

before(start);
after(stop);

test("a formula that is typed is simplified", async () => {
  await withPage({ hash: link({ model: "multi", formula: "(1+2)", step: 0 }) }, async (page) => {
    await page.locator(".answer", { hasText: "3" }).waitFor();
    await type(page, "((15+5)*(3-4))");
    await page.locator(".answer", { hasText: "-20" }).waitFor();
    assert.match(await page.locator(".result").textContent(), /3 rewrites in 2 rounds/);
    assert.deepEqual(await page.locator(".leaf .leaf-text").allTextContents(), ["(15+5)", "(3-4)"]);
    assert.deepEqual(await page.locator(".leaf .value").allTextContents(), ["20", "-1"]);
  });
});

test("the README's formulas have the README's answers", async () => {
  const answers = {
    "((15+5)*(3-4))": "-20",
    "(28*-16)": "-48",
    "[MIN[SM54][MIN39]]": "3",
    "((l OR l) AND (r AND False))": "F",
    "((l|l)&(r&F))": "F",
    "((28*-16)-(7--9))": "-64",
    "((-43*y+66*y)-6*y)": "+17*y",
    "[MIN[MAX10][SM9968]7]": "1",
    "(+5*x+-3*x)": "+2*x",
    "((l OR l) AND (NOT (r AND False)))": "l",
  };
  for (const model of ["multi-compiled", "multi"]) await withPage({ hash: link({ model, formula: "(1+1)", step: 0 }) }, async (page) => {
    for (const [formula, answer] of Object.entries(answers)) {
      await type(page, formula);
      await page.locator(".answer", { hasText: exactly(answer) }).waitFor();
    }
  });
  const hash = link({ model: "booleans", formula: "not ( True and not ( False or ( not False and True ) ) )", step: 0 });
  await withPage({ hash }, async (page) => assert.equal(await answerOf(page), "True"));
});

test("a formula without a value is refused", async () => {
  await withPage({ hash: link({ model: "multi", formula: "((a&b)|(T&F))", step: 1 }) }, async (page) => {
    await page.getByText("No answer: the model was taught nothing like these leaves.").waitFor();
    assert.equal(await stageOf(page), "((a&b)|F)");
    assert.equal(await page.locator('.leaf[data-kind="untaught"] .leaf-text').textContent(), "(a&b)");
    assert.match(await page.locator(".leaves").textContent(), /not taught/);
  });
});

test("one can step, go back, go to the end and by keyboard", async () => {
  await withPage({ hash: link({ model: "multi", formula: "((15+5)*(3-4))", step: 0 }) }, async (page) => {
    const press = (name) => page.getByRole("button", { name, exact: true }).click();
    const shows = (formula) => page.waitForFunction(
      (text) => document.querySelector(".stage-text")?.textContent.startsWith(text), formula);
    await shows("((15+5)");
    await press("Step");
    await shows("(20*-1)");
    assert.match(page.url(), /step=1/);
    await press("Step");
    await shows("-20");
    await press("Back");
    await shows("(20*-1)");
    await press("To the end");
    await shows("-20");
    await press("To the beginning");
    await shows("((15+5)");
    await page.locator(".stage-body").focus();
    await page.keyboard.press("ArrowRight");
    await shows("(20*-1)");
    await page.keyboard.press("End");
    await shows("-20");
    await page.locator(".history button").nth(1).click();
    await shows("(20*-1)");
    await press("Play");
    await shows("-20");
    await page.getByRole("button", { name: "Play", exact: true }).waitFor(); // it has stopped by itself
  });
});

test("an error stands below its column, with a hint", async () => {
  await withPage({ hash: link({ model: "multi", formula: "((15+5)*(3-$))", step: 0 }) }, async (page) => {
    const fault = page.getByRole("alert");
    await fault.waitFor();
    assert.match(await fault.textContent(), /column 12/);
    const mark = page.locator(".marks mark");
    assert.equal(await mark.getAttribute("data-column"), "12");
    assert.equal(await mark.textContent(), "$");
    assert.equal(await page.getByLabel("Formula", { exact: true }).getAttribute("aria-invalid"), "true");
    // The mark is exactly where the field shows the character: in the 12th of equal columns.
    const [first, twelfth] = await page.evaluate(() => {
      const mark = document.querySelector(".marks mark");
      const field = document.querySelector("#formula");
      return [field.getBoundingClientRect().left + parseFloat(getComputedStyle(field).paddingLeft), mark.getBoundingClientRect()];
    });
    assert.ok(Math.abs((twelfth.left - first) / twelfth.width - 11) < 0.2);
    await type(page, "((15+5)*(3-4))");
    await page.locator(".answer", { hasText: "-20" }).waitFor();
    assert.equal(await page.getByRole("alert").count(), 0);
  });
});

test("a link shows what it was copied from", async () => {
  const hash = link({ model: "derivatives", formula: "d(mul(x,sin(x)))", step: 3, view: "tree" });
  await withPage({ hash }, async (page) => {
    await page.locator(".tree svg").waitFor();
    assert.match(await page.locator(".tree svg").getAttribute("aria-label"), /redex is d\(sin\(x\)\)/);
    assert.equal(await page.locator(".tree .redex").count(), 3);
    assert.equal(await page.locator(".tree .node").count(), 8);
    assert.match(await page.locator(".leaves").textContent(), /d\(sin\(\?1\)\) -> mul\(cos\(\?1\),d\(\?1\)\)/);
    assert.equal(await answerOf(page), "plus(sin(x),mul(x,cos(x)))");
    await page.getByRole("button", { name: "Text" }).click();
    assert.equal(await stageOf(page), "plus(sin(x),mul(x,d(sin(x))))");
    assert.ok(!page.url().includes("view=tree"));
    // The address changes while the page is open, too.
    await page.evaluate((to) => (location.hash = to), link({ model: "sorting", formula: "cabba", step: 0 }));
    await page.locator(".answer", { hasText: "aabbc" }).waitFor();
  });
});

test("every example of every model is answered, or refused if it says so", async () => {
  await withPage({ hash: link({ model: "multi", step: 0 }) }, async (page) => {
    const models = await page.locator("#model option").evaluateAll((all) => all.map((one) => one.value));
    assert.ok(models.length >= 4);
    for (const model of models) {
      await page.getByLabel("Model", { exact: true }).selectOption(model);
      for (const example of await page.locator(".question .examples button").all()) {
        const label = await example.textContent();
        await example.click();
        await page.locator(/refused|never/.test(label) ? ".result strong" : ".answer").waitFor();
      }
    }
  });
});

test("a model of one's own is loaded from disk, and a broken one is refused", async () => {
  await withPage({ hash: link({ model: "multi", formula: "(T&F)", step: 0 }) }, async (page) => {
    await page.locator(".answer", { hasText: "F" }).waitFor();
    await page.getByLabel("Model file").setInputFiles(join(root, "models/logic.nrs"));
    await page.waitForFunction(() => document.querySelector("#model").value === "logic");
    await page.locator(".answer", { hasText: "F" }).waitFor();
    await type(page, "(1+2)");
    await page.getByRole("alert").getByText(/column/).waitFor();
    await page.getByLabel("Model file").setInputFiles({ name: "bad.nrs", mimeType: "", buffer: Buffer.from("no model") });
    await page.getByRole("alert").getByText(/model/).waitFor();
    await page.getByLabel("Model", { exact: true }).selectOption("multi");
    await page.locator(".answer", { hasText: "-20" }).waitFor();
  });
});

test("a model can be dropped on the page", async () => {
  await withPage({ hash: link({ model: "multi", formula: "[MAX 1 2]", step: 0 }) }, async (page) => {
    const bytes = [...readFileSync(join(root, "models/ndr-listops.nrs"))];
    await page.locator(".answer").waitFor();
    await page.evaluate((content) => {
      const data = new DataTransfer();
      data.items.add(new File([new Uint8Array(content)], "ndr-listops.nrs"));
      document.querySelector(".page").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    }, bytes);
    await page.waitForFunction(() => document.querySelector("#model").value === "ndr-listops");
    await page.locator(".answer", { hasText: "2" }).waitFor();
  });
});

test("what the model knows can be read", async () => {
  await withPage({ hash: link({ model: "derivatives", step: 0 }) }, async (page) => {
    await page.getByText("What the model derivatives knows").click();
    await page.getByText("d(plus(?1,?2)) -> plus(d(?1),d(?2))").first().waitFor();
  });
});

test("without a server the page learns by itself, and what it learned can be tried", async () => {
  await withPage({ hash: link({ tab: "teach" }) }, async (page) => {
    for (const [sample, report, formula, answer] of [
      ["booleans", /leaves, found in 622 of 622 steps/, "not ( True and False )", "True"],
      ["derivatives", /15 rules from 300 chains with 2052 steps/, "d(mul(x,x))", "plus(x,x)"],
      ["sorting", /leaves, found in 2264 of 2264 steps/, "cba", "abc"],
    ]) {
      await page.getByRole("button", { name: "Teach", exact: true }).first().click();
      await page.getByRole("button", { name: sample }).click();
      await page.waitForFunction((name) => document.querySelector(".fields input").value === name, `my-${sample}`);
      await page.locator(".actions .main").click();
      await page.getByRole("button", { name: "Try it" }).waitFor();
      assert.match(await page.getByLabel("Report").textContent(), report);
      await page.getByRole("button", { name: "Try it" }).click();
      await page.waitForFunction((name) => document.querySelector("#model")?.value === name, `my-${sample}`);
      await type(page, formula);
      await page.locator(".answer", { hasText: exactly(answer) }).waitFor();
    }
    await page.getByRole("button", { name: "Teach", exact: true }).first().click();
    await page.getByLabel("Examples", { exact: true }).fill("no example");
    await page.locator(".actions .main").click();
    await page.getByRole("alert").waitFor();
  });
});
