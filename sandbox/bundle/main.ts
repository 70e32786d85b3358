/**
 * Bundles functions, one after the other, for a parent that must never be brought down by one. Its only permission is the
 * network, to the registries that its parent allows and without private addresses; no code of a function runs here.
 *
 * Frames over stdin and stdout: a length in four bytes, then JSON. The first answer, {"ready":true}, comes unasked.
 * A request is a Job, its answer a Result. Ends when its input ends.
 */
import { initialize, build } from "esbuild-wasm";
import { binary } from "../build/esbuild-binary.js";
import { bundle, type Job } from "./bundle.ts";
import type { Policy } from "./registry.ts";

const REQUEST_BYTES = 64 << 20;

function read(length: number): Uint8Array | null {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length;) {
    const count = Deno.stdin.readSync(bytes.subarray(at));
    if (count === null) return null;
    at += count;
  }
  return bytes;
}

function request(): Job | null {
  const head = read(4);
  if (head === null) return null;
  const length = new DataView(head.buffer).getUint32(0);
  if (length > REQUEST_BYTES) throw new Error(`a request of ${length} bytes`);
  const body = read(length);
  return body === null ? null : JSON.parse(new TextDecoder().decode(body));
}

function answer(value: unknown): void {
  const body = new TextEncoder().encode(JSON.stringify(value));
  const head = new Uint8Array(4);
  new DataView(head.buffer).setUint32(0, body.length);
  for (const part of [head, body]) for (let at = 0; at < part.length;) at += Deno.stdout.writeSync(part.subarray(at));
}

const policy: Policy = JSON.parse(Deno.args[0]);
const gzipped = Uint8Array.fromBase64(binary);
const wasm = new Response(new Blob([gzipped]).stream().pipeThrough(new DecompressionStream("gzip")));
await initialize({ wasmModule: new WebAssembly.Module(await wasm.arrayBuffer()), worker: false });
// The engine compiles a function of the compiler when it first runs: now, before the first request.
await build({ stdin: { contents: "export default async (r: Request) => `${await r.text()}`;", loader: "tsx" }, bundle: true, write: false, format: "esm", logLevel: "silent" });
answer({ ready: true });
for (let job = request(); job !== null; job = request()) answer(await bundle(job, policy));
Deno.exit(0);
