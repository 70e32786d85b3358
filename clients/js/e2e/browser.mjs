// Runs the application in Chromium: its input is JSON on standard input, what it saw goes to standard output.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { withPage } from "./chromium.mjs";

const input = JSON.parse(await text(process.stdin));
const folder = mkdtempSync(join(tmpdir(), "svc-page-"));
try {
  await build({
    entryPoints: [join(dirname(fileURLToPath(import.meta.url)), "application.mjs")],
    outfile: join(folder, "application.js"),
    bundle: true,
    format: "iife",
    globalName: "page",
    platform: "browser",
    logLevel: "error",
  });
  writeFileSync(
    join(folder, "index.html"),
    '<!doctype html><meta charset="utf-8"><script src="application.js"></script>',
  );
  const seen = await withPage(folder, (page) => page.evaluate((input) => globalThis.page.application(input), input));
  console.log(JSON.stringify(seen));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
