import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { svc } from "./running.js";

test("bash completes commands, options and names below them", async () => {
  const { out } = await svc(["completion", "bash"]);
  const candidates = (...words: string[]): string[] =>
    execFileSync("bash", ["-c", `${out}\n_svc_candidates "$@"`, "bash", ...words], { encoding: "utf8" }).split(" ");
  assert.ok(candidates().includes("projects"));
  assert.ok(candidates("db").includes("push"));
  assert.ok(candidates("--json", "db", "push").includes("--dry-run"));
  assert.ok(candidates("functions", "secrets").includes("unset"));
  assert.ok(candidates("migrations", "down").includes("--yes"));
  assert.ok(!candidates("db").includes("deploy"));
});

test("each shell has a script, and no other", async () => {
  for (const shell of ["bash", "zsh", "fish"]) {
    assert.match((await svc(["completion", shell])).out, /functions secrets set/);
  }
  assert.equal((await svc(["completion", "cmd"])).code, 2);
});
