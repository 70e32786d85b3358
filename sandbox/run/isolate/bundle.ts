/**
 * From the text of the function's module to its exports. Deno's own loader would parse the text once more than the
 * engine does, to find its imports: 45 ms for 300 KB, half of a cold start. Whatever the module imports, statically or
 * later, is imported by this thread and so with its permissions.
 */
// @ts-types="./vm.d.ts"
import { SourceTextModule, SyntheticModule } from "node:vm";
import { concealed } from "./machine.ts";
import { Folder } from "./tmp/folder.ts";
import { promisesWithTmp, withTmp } from "./tmp/node.ts";

type Attributes = Record<string, string>;

/** The function's module as its errors name it. */
export const BUNDLE = "bundle.js";

/** What `import.meta` says: relative addresses have a base, and nothing lies there. */
const URL_OF_BUNDLE = `file:///${BUNDLE}`;

/** Would be looked for beside this file. */
const PATH = /^\.{0,2}\//;

/** Its /tmp, for Deno's calls and for Node's. */
export const folder = new Folder();

const { URL, Blob, Error, SyntaxError, TypeError } = globalThis;

/** Runs the module's top level; settles with its exports, or rejects with what it threw. */
export async function importBundle(text: string): Promise<Record<string, unknown>> {
  const module = await compiled(text);
  await module.link(linked);
  await module.evaluate();
  return module.namespace as Record<string, unknown>;
}

async function compiled(text: string): Promise<SourceTextModule> {
  try {
    return new SourceTextModule(text, {
      identifier: BUNDLE,
      initializeImportMeta: (meta) => {
        meta.url = URL_OF_BUNDLE;
        meta.main = false;
        meta.resolve = (specifier: string) => new URL(specifier, URL_OF_BUNDLE).href;
      },
      importModuleDynamically: (specifier, _from, attributes) => later(specifier, attributes as Attributes) as never,
    });
  } catch (error) {
    if (error instanceof SyntaxError) await explain(text);
    throw error;
  }
}

/** Deno's loader says where a text is no module, which the engine alone does not. */
async function explain(text: string): Promise<void> {
  const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  try {
    await import(address);
  } catch (error) {
    if (!(error instanceof Error)) return;
    const explained = new SyntaxError(error.message.replaceAll(address, BUNDLE));
    explained.stack = error.stack?.replaceAll(address, BUNDLE);
    throw explained;
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** Exports of built-in modules, which is all that a bundle imports, do not change. */
async function linked(specifier: string): Promise<SyntheticModule> {
  return synthetic(await adapted(specifier, await outside(specifier)));
}

function synthetic(exports: Record<string, unknown>): SyntheticModule {
  const names = Object.keys(exports);
  return new SyntheticModule(names, function () {
    for (const name of names) this.setExport(name, exports[name]);
  });
}

async function later(specifier: string, attributes: Attributes): Promise<Record<string, unknown>> {
  const exports = await outside(specifier, attributes);
  const known = await adapted(specifier, exports);
  if (known === exports) return exports;
  const module = synthetic(known);
  await module.link(linked);
  await module.evaluate();
  return module.namespace as Record<string, unknown>;
}

/** What a built-in module exports here: some know more than the thread's permissions allow. */
async function adapted(specifier: string, exports: Record<string, unknown>): Promise<Record<string, unknown>> {
  const name = specifier.replace(/^node:/, "");
  if (name === "fs") return withDefault(exports, await withTmp(folder, exports));
  if (name === "fs/promises") return withDefault(exports, await promisesWithTmp(folder, exports));
  return concealed(name, exports);
}

/** The default export of node:fs is an object with the same members. */
function withDefault(exports: Record<string, unknown>, members: Record<string, unknown>): Record<string, unknown> {
  const own = { ...exports.default as Record<string, unknown>, ...members };
  return { ...exports, ...members, default: own };
}

/** What is no part of the bundle. The loader gives what is built in; this thread's permissions refuse files and hosts. */
async function outside(specifier: string, attributes?: Attributes): Promise<Record<string, unknown>> {
  if (PATH.test(specifier)) {
    throw new TypeError(`Module not found "${specifier}": a function's files are those that it was bundled with`);
  }
  return await import(specifier, { with: attributes });
}
