// Makes what the programs cannot read for themselves, because they may not read files:
// build/postgres-parser.js   PostgreSQL's own parser (WASM) and its loader as ONE JavaScript module
// build/esbuild-binary.js    the compiler of functions (WASM), compressed
// build/bundler.js           the bundler with its libraries
// build/vips.js, *.wasm      libvips, the decoder of images (WASM)
//
// Why: a module that a program imports statically is loaded by Deno itself before any permission applies, and needs none.
import { copyFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild-wasm";

const home = dirname(fileURLToPath(import.meta.url));
const parser = join(home, "node_modules", "libpg-query", "wasm");
const loader = readFileSync(join(parser, "libpg-query.js"), "utf8");
const binary = bornSmaller(readFileSync(join(parser, "libpg-query.wasm"))).toString("base64");

// The loader asks globalThis what it runs in. It is given an empty one: it then looks for no file, network or process.
const module = `const load = (function (globalThis, module, exports, define) {
${loader}
;return PgQueryModule;
})({});
export const binary = ${JSON.stringify(binary)};
export default load;
`;
/**
 * The parser is born with 128 MB of memory, of which a stack takes 32 and a text of 20 KB takes two. The engine counts all
 * of it as garbage to be collected when a parser is dropped, which happens after every script. This one has 40 MB and grows.
 */
function bornSmaller(wasm) {
  const [MEMORY_SECTION, HAS_MAXIMUM] = [5, 1];
  const [BORN_WITH, TO_BE_BORN_WITH] = [2048, 640].map(leb128);
  for (let at = 8; at < wasm.length; ) {
    const section = at + 1;
    let length = 0;
    let body = section;
    for (let shift = 0, more = true; more; shift += 7) {
      length |= (wasm[body] & 0x7f) << shift;
      more = wasm[body++] >= 0x80;
    }
    if (wasm[at] === MEMORY_SECTION) {
      const expected = Buffer.from([1, HAS_MAXIMUM, ...BORN_WITH]);
      if (!wasm.subarray(body, body + expected.length).equals(expected)) break;
      // Both numbers have as many bytes, so no length changes.
      Buffer.from(TO_BE_BORN_WITH).copy(wasm, body + 2);
      return wasm;
    }
    at = body + length;
  }
  throw new Error("libpg-query.wasm declares its memory in an unknown way; look at bornSmaller in build.mjs");
}

/** A number below 16384 in two bytes. */
function leb128(number) {
  return [(number & 0x7f) | 0x80, number >> 7];
}

mkdirSync(join(home, "build"), { recursive: true });
write("postgres-parser.js", module);

const compiler = join(home, "node_modules", "esbuild-wasm");
write(
  "esbuild-binary.js",
  `export const binary = "${gzipSync(readFileSync(join(compiler, "esbuild.wasm")), { level: 9 }).toString("base64")}";\n`,
);
const bundler = await build({
  entryPoints: [join(home, "bundle", "main.ts")],
  outdir: join(home, "build"),
  bundle: true,
  write: false,
  format: "esm",
  platform: "neutral",
  mainFields: ["module", "main"],
  target: "esnext",
  alias: { "esbuild-wasm": join(compiler, "esm", "browser.js") },
  external: ["node:*"],
  plugins: [
    {
      name: "binary-beside",
      setup: (made) =>
        made.onResolve({ filter: /esbuild-binary\.js$/ }, () => ({ path: "./esbuild-binary.js", external: true })),
    },
  ],
});
write("bundler.js", bundler.outputFiles[0].text);

images(join(home, "node_modules", "wasm-vips", "lib"));

/**
 * libvips as it comes may use 2 GB and starts a thread for each processor. Here it has 512 MB and six threads, the fewest
 * with which no image can stop it: with three, one that ends too early did. Its part for AVIF is given as a module, because
 * it could not be loaded from a file.
 */
function images(vips) {
  const changes = [
    ["navigator.hardwareConcurrency>6?navigator.hardwareConcurrency:6", "6", 2],
    ["initial:4096,maximum:32768", "initial:4096,maximum:8192", 1],
    ["sa={}", "sa=moduleArg.sharedModules??{}", 1],
  ];
  let loader = readFileSync(join(vips, "vips-es6.js"), "utf8");
  for (const [before, after, times] of changes) {
    if (loader.split(before).length !== times + 1) {
      throw new Error(`wasm-vips has changed: not ${times} times "${before}"; look at images in build.mjs`);
    }
    loader = loader.replaceAll(before, after);
  }
  for (const name of ["vips.wasm", "vips-heif.wasm"]) {
    copyFileSync(join(vips, name), join(home, "build", `${name}.new`));
    renameSync(join(home, "build", `${name}.new`), join(home, "build", name));
  }
  write("vips.js", loader);
}

/** Written beside and renamed, so that a process that starts meanwhile never sees half of it. */
function write(name, text) {
  writeFileSync(join(home, "build", `${name}.new`), text);
  renameSync(join(home, "build", `${name}.new`), join(home, "build", name));
}
