/**
 * From the text of the function's module to its exports. Deno's own loader would parse the text once more than the
 * engine does, to find its imports: 45 ms for 300 KB, half of a cold start. Whatever the module imports, statically or
 * later, is imported by this thread and so with its permissions.
 */
// @ts-types="./vm.d.ts"
import { SourceTextModule, SyntheticModule } from "node:vm";
import { concealed } from "./machine.ts";

type Attributes = Record<string, string>;

/** The function's module as its errors name it. */
export const BUNDLE = "bundle.js";

/** What `import.meta` says: relative addresses have a base, and nothing lies there. */
const URL_OF_BUNDLE = `file:///${BUNDLE}`;

/** Would be looked for beside this file. */
const PATH = /^\.{0,2}\//;

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
  return synthetic(concealed(await outside(specifier)));
}

function synthetic(exports: Record<string, unknown>): SyntheticModule {
  const names = Object.keys(exports);
  return new SyntheticModule(names, function () {
    for (const name of names) this.setExport(name, exports[name]);
  });
}

async function later(specifier: string, attributes: Attributes): Promise<Record<string, unknown>> {
  const exports = await outside(specifier, attributes);
  const known = concealed(exports);
  if (known === exports) return exports;
  const module = synthetic(known);
  await module.link(linked);
  await module.evaluate();
  return module.namespace as Record<string, unknown>;
}

/** What is no part of the bundle. The loader gives what is built in; this thread's permissions refuse files and hosts. */
async function outside(specifier: string, attributes?: Attributes): Promise<Record<string, unknown>> {
  if (PATH.test(specifier)) {
    throw new TypeError(`Module not found "${specifier}": a function's files are those that it was bundled with`);
  }
  return await import(specifier, { with: attributes });
}
