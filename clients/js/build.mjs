// Compiles the package twice: dist/esm for import, dist/cjs for require.
import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const home = dirname(fileURLToPath(import.meta.url));
const compiler = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");
const compile = (...options) =>
  execFileSync(process.execPath, [compiler, "-p", join(home, "tsconfig.json"), ...options], { stdio: "inherit" });

rmSync(join(home, "dist"), { recursive: true, force: true });
compile();
compile("--module", "commonjs", "--outDir", join(home, "dist", "cjs"));
// The package is of type module; this folder is the exception, and a package of its own in the eyes of Node.js.
const websocket = { browser: "./websocket.js", node: "./websocket_node.js", default: "./websocket.js" };
const inner = { type: "commonjs", imports: { "#websocket": websocket } };
writeFileSync(join(home, "dist", "cjs", "package.json"), `${JSON.stringify(inner, null, 2)}\n`);
