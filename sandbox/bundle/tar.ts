/** Reads a gzipped tar archive as npm makes them: regular files only, so that no link can be followed. */
import { Fault } from "./fault.ts";

const BLOCK = 512;
const text = new TextDecoder();

/** Files by path behind the archive's first folder. */
export async function unpack(archive: Uint8Array, limit: number): Promise<Map<string, Uint8Array>> {
  const bytes = await gunzip(archive, limit);
  const files = new Map<string, Uint8Array>();
  let longName: string | undefined;
  for (let at = 0; at + BLOCK <= bytes.length && bytes[at] !== 0;) {
    const header = bytes.subarray(at, at + BLOCK);
    const size = parseInt(field(header, 124, 12).trim() || "0", 8);
    if (!Number.isSafeInteger(size) || size < 0) throw new Fault("import_failed", "A package's archive is broken.");
    const content = bytes.subarray(at + BLOCK, at + BLOCK + size);
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
    const type = String.fromCharCode(header[156] || 48);
    if (type === "L") longName = text.decode(content).replace(/\0.*$/s, "");
    else if (type === "x") longName = paxPath(content) ?? longName;
    else if (type === "0") {
      const prefix = field(header, 257, 5) === "ustar" ? field(header, 345, 155) : "";
      const path = longName ?? (prefix === "" ? "" : prefix + "/") + field(header, 0, 100);
      files.set(path.slice(path.indexOf("/") + 1), content);
      longName = undefined;
    } else longName = undefined;
  }
  return files;
}

function field(header: Uint8Array, at: number, length: number): string {
  return text.decode(header.subarray(at, at + length)).replace(/\0.*$/s, "");
}

function paxPath(content: Uint8Array): string | undefined {
  return /^\d+ path=(.*)$/m.exec(text.decode(content))?.[1];
}

/** Archives grow: what comes out is counted, not what went in. */
async function gunzip(archive: Uint8Array, limit: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const part of new Blob([archive as BlobPart]).stream().pipeThrough(new DecompressionStream("gzip"))) {
      length += part.length;
      if (length > limit) throw new Fault("too_large", `A package unpacks to more than ${limit >> 20} MB.`);
      parts.push(part);
    }
  } catch (error) {
    throw error instanceof Fault ? error : new Fault("import_failed", "A package's archive is broken.");
  }
  const all = new Uint8Array(length);
  parts.reduce((at, part) => (all.set(part, at), at + part.length), 0);
  return all;
}
