// A Chromium without a window, and pages for it on 127.0.0.1.
import { once } from "node:events";
import { createReadStream, statSync } from "node:fs";
import http from "node:http";
import { extname, join, normalize } from "node:path";

// Makes the package unpack the libraries that a bare machine lacks.
process.env.AWS_LAMBDA_JS_RUNTIME ??= "nodejs20.x";
const { default: chromium } = await import("@sparticuz/chromium");
const { default: puppeteer } = await import("puppeteer-core");

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };

/** Opens the page of a folder and gives it to the work; everything is closed afterwards. */
export async function withPage(folder, work) {
  const server = http.createServer((request, response) => {
    const path = normalize(new URL(request.url, "http://host").pathname).replace(/\/$/, "/index.html");
    const file = join(folder, path);
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
    createReadStream(file).pipe(response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const browser = await puppeteer.launch({
    executablePath: await chromium.executablePath(),
    args: [...chromium.args, "--no-sandbox"],
    headless: "shell",
  });
  try {
    const page = await browser.newPage();
    page.on("pageerror", (error) => console.error(`page: ${error.message}`));
    page.on("requestfailed", (request) => console.error(`page: ${request.url()} ${request.failure()?.errorText}`));
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    return await work(page);
  } finally {
    await browser.close();
    server.closeAllConnections();
    server.close();
  }
}
