/** Where the function's code comes from: an archive, or the bare bundle, in a file or behind an address. */
import { Upstream } from "./upstream.ts";

const ATTEMPTS = 5;
const FIRST_PAUSE_MS = 100;
const HASH = /\/([0-9a-f]{64})$/;

export class BundleUnreachable extends Error {}

/** The function's JavaScript. Throws BundleUnreachable when it cannot be had or is no archive. */
export async function loadBundle(address: string, upstream: Upstream): Promise<string> {
  const text = address.startsWith("file:") ? await readFile(address) : await download(address, upstream);
  return bundleOf(text);
}

/** An archive is a JSON object with the bundle in it; anything else is the bundle itself. */
export function bundleOf(text: string): string {
  if (!text.startsWith("{")) return text;
  let archive: unknown;
  try {
    archive = JSON.parse(text);
  } catch {
    // A program may begin with a block.
    return text;
  }
  const bundle = (archive as { bundle?: unknown }).bundle;
  if (typeof bundle !== "string") throw new BundleUnreachable("the archive has no bundle in it");
  return bundle;
}

async function readFile(address: string): Promise<string> {
  try {
    return await Deno.readTextFile(new URL(address));
  } catch (error) {
    throw new BundleUnreachable(`while reading ${address}: ${(error as Error).message}`);
  }
}

async function download(address: string, upstream: Upstream): Promise<string> {
  let reason = "";
  for (let attempt = 0, pause = FIRST_PAUSE_MS; attempt < ATTEMPTS; attempt++, pause *= 2) {
    if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, pause));
    try {
      const response = await upstream.fetch(address, {});
      const body = await response.bytes();
      if (response.ok && await isWhatItsHashSays(address, body)) return new TextDecoder().decode(body);
      reason = response.ok ? "it is not what its hash says" : `it answers ${response.status}`;
    } catch (error) {
      reason = (error as Error).message;
    }
  }
  throw new BundleUnreachable(`while loading ${address}: ${reason}`);
}

/** The last part of an address is the hash of what lies there, if it has the form of one. */
async function isWhatItsHashSays(address: string, body: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const hash = HASH.exec(address)?.[1];
  if (hash === undefined) return true;
  return new Uint8Array(await crypto.subtle.digest("SHA-256", body)).toHex() === hash;
}
