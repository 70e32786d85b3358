/** Import maps, as HTML defines them, and what deno.json adds to them. */
import { type ParseError, parse, printParseErrorCode } from "jsonc-parser";
import { Fault } from "./fault.ts";
import type { SourceTree } from "./source.ts";

type Addresses = Map<string, string | null>;

/** What of deno.json's compiler options changes the program, and not only its check. */
export interface CompilerOptions {
  [name: string]: string | boolean;
}

const COMPILER_OPTIONS = ["jsx", "jsxFactory", "jsxFragmentFactory", "jsxImportSource", "experimentalDecorators"];
/** Those that are taken when the function names none, in the order in which they are looked for. */
const USUAL = ["deno.json", "deno.jsonc", "import_map.json"];
const HAS_SCHEME = /^[a-zA-Z][a-zA-Z0-9+.-]*:/;

export class ImportMap {
  private constructor(
    private readonly imports: Addresses,
    private readonly scopes: [string, Addresses][],
    readonly compilerOptions: CompilerOptions,
  ) {}

  static read(tree: SourceTree, path: string | null): ImportMap {
    const usual = () => USUAL.map((name) => tree.urlOf(name)).find((url) => tree.find(url) !== undefined);
    const url = path === null ? usual() : tree.urlOf(path);
    if (url === undefined) return new ImportMap(new Map(), [], {});
    const outer = json(tree, url);
    const options = compilerOptions(outer);
    const inner = outer.importMap;
    if (typeof inner !== "string") return ImportMap.#of(tree, outer, url, options);
    if (HAS_SCHEME.test(inner)) {
      throw new Fault("import_map", "importMap must be the path of one of the function's files.", { file: tree.display(url) });
    }
    const innerUrl = new URL(inner, url).href;
    return ImportMap.#of(tree, json(tree, innerUrl), innerUrl, options);
  }

  static #of(tree: SourceTree, map: Record<string, unknown>, base: string, options: CompilerOptions): ImportMap {
    const file = tree.display(base);
    const scopes = Object.entries(record(map.scopes, "scopes", file))
      .map(([scope, to]): [string, Addresses] => [absolute(scope, base), addresses(record(to, "scopes", file), base, file)])
      .sort(([a], [b]) => (a < b ? 1 : -1));
    return new ImportMap(addresses(record(map.imports, "imports", file), base, file), scopes, options);
  }

  /** What a specifier of a module means; undefined when the map says nothing about it. */
  resolve(specifier: string, referrer: string): string | undefined {
    const key = isRelative(specifier) ? absolute(specifier, referrer) : specifier;
    for (const [scope, inside] of this.scopes) {
      if (scope === referrer || (scope.endsWith("/") && referrer.startsWith(scope))) {
        const found = match(inside, key);
        if (found !== undefined) return found;
      }
    }
    return match(this.imports, key);
  }

  *targets(): Iterable<string> {
    for (const addresses of [this.imports, ...this.scopes.map(([, inside]) => inside)]) {
      for (const target of addresses.values()) if (target !== null) yield target;
    }
  }
}

function json(tree: SourceTree, url: string): Record<string, unknown> {
  const file = tree.find(url);
  if (file === undefined) throw new Fault("import_map", `There is no file ${tree.display(url)} for the import map.`);
  const errors: ParseError[] = [];
  const value = parse(file.text, errors, { allowTrailingComma: true });
  if (errors.length > 0) {
    const before = file.text.slice(0, errors[0].offset).split("\n");
    const place = { file: tree.display(file.url), line: before.length, column: before[before.length - 1].length + 1 };
    throw new Fault("import_map", `This is not JSON: ${printParseErrorCode(errors[0].error)}.`, place);
  }
  return record(value, "the file", tree.display(file.url));
}

function record(value: unknown, what: string, file: string): Record<string, unknown> {
  if (value === undefined) return {};
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Fault("import_map", `In an import map ${what} must be an object.`, { file });
  }
  return value as Record<string, unknown>;
}

function compilerOptions(map: Record<string, unknown>): CompilerOptions {
  const given = map.compilerOptions;
  const options: CompilerOptions = {};
  if (typeof given !== "object" || given === null) return options;
  for (const name of COMPILER_OPTIONS) {
    const value = (given as Record<string, unknown>)[name];
    if (typeof value === "string" || typeof value === "boolean") options[name] = value;
  }
  // Deno compiles "precompile" to templates of strings; the plain transform means the same.
  if (options.jsx === "precompile") options.jsx = "react-jsx";
  return options;
}

function addresses(entries: Record<string, unknown>, base: string, file: string): Addresses {
  const found: Addresses = new Map();
  for (const [key, value] of Object.entries(entries)) {
    if (typeof value !== "string") throw new Fault("import_map", `The address of "${key}" must be a string.`, { file });
    const target = isRelative(value) ? absolute(value, base) : HAS_SCHEME.test(value) ? value : null;
    if (target === null || (key.endsWith("/") && !target.endsWith("/"))) {
      throw new Fault("import_map", `The address of "${key}" must be a URL or begin with ./, and end in / if the key does.`, { file });
    }
    found.set(isRelative(key) ? absolute(key, base) : key, target);
  }
  // As deno.json does it: a package that is named alone is there with all its entry points.
  for (const [key, target] of [...found]) {
    const packaged = /^(npm|jsr):\/?/.exec(target ?? "");
    if (packaged && !key.endsWith("/") && !found.has(key + "/")) {
      found.set(key + "/", `${packaged[1]}:/${target!.slice(packaged[0].length)}/`);
    }
  }
  return found;
}

function match(addresses: Addresses, key: string): string | undefined {
  const exact = addresses.get(key);
  if (exact != null) return exact;
  let best: string | undefined;
  for (const prefix of addresses.keys()) {
    if (prefix.endsWith("/") && key.startsWith(prefix) && prefix.length > (best?.length ?? 0)) best = prefix;
  }
  if (best === undefined) return undefined;
  const rest = key.slice(best.length);
  const target = addresses.get(best)!;
  const joined = /^(npm|jsr):/.test(target) ? target + rest : new URL(rest, target).href;
  // The part behind a prefix must not lead out of it.
  if (!joined.startsWith(target)) throw new Fault("import_failed", `"${key}" leads out of "${target}".`);
  return joined;
}

export function isRelative(specifier: string): boolean {
  return specifier.startsWith("./") || specifier.startsWith("../") || specifier.startsWith("/");
}

function absolute(specifier: string, base: string): string {
  return isRelative(specifier) ? new URL(specifier, base).href : specifier;
}
