// Compiles the command line and its tests into build/.
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const home = dirname(fileURLToPath(import.meta.url));
const compiler = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");

rmSync(join(home, "build"), { recursive: true, force: true });
execFileSync(process.execPath, [compiler, "-p", join(home, "tsconfig.json")], { stdio: "inherit" });
// Programs of Deno, which runs them from their source.
if (existsSync(join(home, "src", "deno"))) {
  cpSync(join(home, "src", "deno"), join(home, "build", "src", "deno"), { recursive: true });
}
chmodSync(join(home, "build", "src", "main.js"), 0o755);
