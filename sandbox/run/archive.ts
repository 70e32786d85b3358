/** Where the function's code comes from: an archive, or the bare bundle, in a file or behind an address. */
import { Origins, Places } from "./places.ts";
import { Upstream } from "./upstream.ts";

const ATTEMPTS = 5;
const FIRST_PAUSE_MS = 100;
const HASH = /\/([0-9a-f]{64})$/;

export class BundleUnreachable extends Error {}

/** The function's code, and where its places come from. */
export interface Bundle {
  text: string;
  places: Places;
}

const NOWHERE: Origins = { mappings: "", sources: [] };

/** The function's JavaScript. Throws BundleUnreachable when it cannot be had or is no archive. */
export async function loadBundle(address: string, upstream: Upstream): Promise<Bundle> {
  const text = address.startsWith("file:") ? await readFile(address) : await download(address, upstream);
  return bundleOf(text);
}

/** An archive is a JSON object with the bundle in it; anything else is the bundle itself. */
export function bundleOf(text: string): Bundle {
  const bare = { text, places: new Places(NOWHERE) };
  if (!text.startsWith("{")) return bare;
  let archive: { bundle?: unknown; origins?: Origins | null };
  try {
    archive = JSON.parse(text);
  } catch {
    // A program may begin with a block.
    return bare;
  }
  const { bundle, origins } = archive;
  if (typeof bundle !== "string") throw new BundleUnreachable("the archive has no bundle in it");
  // Archives of earlier versions have no origins.
  return { text: bundle, places: new Places(origins ?? NOWHERE) };
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
