// deno-lint-ignore-file no-explicit-any
/**
 * libvips as WebAssembly. What a decoder does wrong stays in its memory: 512 MB at most, in which there is nothing but the
 * images of one project (the parent never gives a process to two).
 */
// Deno loads and compiles what is imported statically, before permissions apply.
// @ts-ignore: a WebAssembly module
import source library from "../build/vips.wasm";
// @ts-ignore: a WebAssembly module
import source avif from "../build/vips-heif.wasm";
// @ts-ignore: plain JavaScript
import load from "../build/vips.js";
// @ts-ignore: the same as text, for the threads of the library
import program from "../build/vips.js" with { type: "text" };

const AVIF = "vips-heif.wasm";

/** All that is ever decoded: each is a loader of libvips. Others stay blocked. */
const LOADERS = ["Jpeg", "Png", "Webp", "Nsgif", "Tiff", "Heif"];

let freed: () => void = () => {};

// The loader takes what has a window for a browser, and only there loads beside itself without a file system.
(globalThis as any).window = {};

export const vips: any = await load({
  dynamicLibraries: [AVIF],
  sharedModules: { [AVIF]: avif },
  mainScriptUrlOrBlob: new Blob([program], { type: "application/javascript" }),
  print: () => {},
  printErr: () => {},
  instantiateWasm: (imports: any, receive: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void) => {
    receive(new WebAssembly.Instance(library, imports), library);
    return {};
  },
  preRun: (module: any) => {
    module.setAutoDeleteLater(true);
    module.setDelayFunction((free: () => void) => {
      freed = free;
    });
  },
});

vips.concurrency(1);
vips.Cache.max(0);
vips.operationBlock("VipsForeignLoad", true);
for (const loader of LOADERS) vips.operationBlock(`VipsForeignLoad${loader}`, false);

/** Frees all images that were made since the last call. */
export function free(): void {
  freed();
}
