import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const home = fileURLToPath(new URL("../../", import.meta.url));
const description = JSON.parse(readFileSync(join(home, "package.json"), "utf8")) as {
  version: string;
  bin: Record<string, string>;
};

/** npm links each name of "bin" into a folder of the PATH, as this test does. */
test("kubectl runs it as a plugin", (context) => {
  const folder = mkdtempSync(join(tmpdir(), "svc-plugin-"));
  context.after(() => rmSync(folder, { recursive: true }));
  symlinkSync(join(home, description.bin["kubectl-svc"]!), join(folder, "kubectl-svc"));
  const PATH = `${folder}${delimiter}${process.env.PATH ?? ""}`;
  const kubectl = (...args: string[]): string =>
    execFileSync("kubectl", args, { encoding: "utf8", env: { ...process.env, PATH } });

  assert.equal(kubectl("svc", "--version").trim(), description.version);
  assert.match(kubectl("svc", "projects", "--help"), /create/);
});
