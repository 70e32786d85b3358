// Makes build/postgres-parser.js: PostgreSQL's own parser (WASM) and its loader as ONE JavaScript module.
//
// Why: the program that uses it runs with no permission at all, so it cannot read a .wasm file. A module that it imports
// statically is loaded by Deno itself before any permission applies, and needs none.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const home = dirname(fileURLToPath(import.meta.url));
const parser = join(home, "node_modules", "libpg-query", "wasm");
const loader = readFileSync(join(parser, "libpg-query.js"), "utf8");
const binary = readFileSync(join(parser, "libpg-query.wasm")).toString("base64");

// The loader asks globalThis what it runs in. It is given an empty one: it then looks for no file, network or process.
const module = `const load = (function (globalThis, module, exports, define) {
${loader}
;return PgQueryModule;
})({});
export const binary = ${JSON.stringify(binary)};
export default load;
`;
mkdirSync(join(home, "build"), { recursive: true });
// Written beside and renamed, so that a process that starts meanwhile never sees half of it.
writeFileSync(join(home, "build", "postgres-parser.js.new"), module);
renameSync(join(home, "build", "postgres-parser.js.new"), join(home, "build", "postgres-parser.js"));
