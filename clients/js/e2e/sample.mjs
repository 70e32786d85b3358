// A person uses the sample application in Chromium: signs up, adds a todo, ticks it, and comes back later. The folder of the built
// application comes as JSON on standard input; what the page showed goes to standard output.
import { text } from "node:stream/consumers";
import { withPage } from "./chromium.mjs";

const { folder, email, title } = JSON.parse(await text(process.stdin));
const seen = await withPage(folder, async (page) => {
  const shown = async (what) => {
    try {
      await page.waitForFunction(what, { timeout: 30_000 }, title);
    } catch (error) {
      const message = await page.$eval("#message", (element) => element.textContent);
      throw new Error(`the page shows "${message}"`, { cause: error });
    }
  };
  await page.type("input[name=email]", email);
  await page.type("input[name=password]", "correct horse battery");
  await page.click("button[value=up]");
  await shown(() => !document.querySelector("#todos").hidden);
  await page.type("input[name=title]", title);
  await page.click("#new button");
  await shown((title) => document.querySelector("#list").textContent.includes(title));
  await Promise.all([
    page.waitForResponse((response) => response.request().method() === "PATCH" && response.ok()),
    page.click("#list input"),
  ]);
  await page.reload();
  await shown((title) => document.querySelector("#list").textContent.includes(title));
  const items = await page.$$eval(
    "#list li",
    (lines) => lines.map((line) => [line.textContent.trim(), line.querySelector("input").checked]),
  );
  await page.click("#out");
  await shown(() => !document.querySelector("#account").hidden);
  return { items };
});
console.log(JSON.stringify(seen));
