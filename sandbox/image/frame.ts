/**
 * Messages over a pipe, numbers big endian.
 *
 * Job:    length of a head (4 bytes), the head as JSON in UTF-8, then `length` bytes of the image.
 * Answer: length of a head (4 bytes), the head as JSON in UTF-8, then `length` bytes of the image, or none if the head has
 *         no `length`.
 *
 * Reading waits on the event loop and does not block it: the decoder's threads report their end there.
 */
const MAX_HEAD_BYTES = 4096;

/** Longest image of a job. The parent refuses longer ones; more means that the pipe is out of step. */
const MAX_IMAGE_BYTES = 25 << 20;

export class MalformedFrame extends Error {}

export interface Job {
  /** Bytes of the image. */
  length: number;
  /** Wanted size in pixels; 0 for none. */
  width: number;
  height: number;
  resize: "cover" | "contain" | "fill";
  gravity: string;
  x: number;
  y: number;
  /** 20 to 100. */
  quality: number;
  /** `origin` keeps the format of the source. */
  format: "origin" | "webp" | "avif";
}

/** False at the end of the input, which is only orderly before the first byte. */
async function readFully(target: Uint8Array): Promise<boolean> {
  let filled = 0;
  while (filled < target.length) {
    const count = await Deno.stdin.read(target.subarray(filled));
    if (count === null) {
      if (filled > 0) throw new MalformedFrame("the input ends inside a frame");
      return false;
    }
    filled += count;
  }
  return true;
}

/** The next job with its image; null at the end of the input. */
export async function readJob(): Promise<{ job: Job; image: Uint8Array } | null> {
  const prefix = new Uint8Array(4);
  if (!(await readFully(prefix))) return null;
  const length = new DataView(prefix.buffer).getUint32(0);
  if (length === 0 || length > MAX_HEAD_BYTES) throw new MalformedFrame(`a head of ${length} bytes`);
  const head = new Uint8Array(length);
  if (!(await readFully(head))) throw new MalformedFrame("the input ends inside a frame");
  const job: Job = JSON.parse(new TextDecoder().decode(head));
  if (!(job.length > 0 && job.length <= MAX_IMAGE_BYTES)) throw new MalformedFrame(`an image of ${job.length} bytes`);
  const image = new Uint8Array(job.length);
  if (!(await readFully(image))) throw new MalformedFrame("the input ends inside an image");
  return { job, image };
}

export function writeAnswer(head: Record<string, unknown>, image?: Uint8Array): void {
  const json = new TextEncoder().encode(JSON.stringify(image ? { ...head, length: image.length } : head));
  const prefix = new Uint8Array(4);
  new DataView(prefix.buffer).setUint32(0, json.length);
  for (const part of [prefix, json, image ?? new Uint8Array(0)]) {
    for (let written = 0; written < part.length;) written += Deno.stdout.writeSync(part.subarray(written));
  }
}
