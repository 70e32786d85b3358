// deno-lint-ignore-file no-explicit-any
/** One image in, one image out. */
import { Job } from "./frame.ts";
import { plan, Size } from "./geometry.ts";
import { free, vips } from "./vips.ts";

/** Of the source. Decoding takes memory for each of them, whatever the file weighs. */
const MAX_PIXELS = 50_000_000;

/** Longest side of a result, also where no size is wanted. */
const MAX_SIDE = 2000;

/** The image cannot be transformed; the message is for the client. */
export class Refused extends Error {}

export interface Transformed {
  type: string;
  image: Uint8Array;
}

/** By the first bytes; what a file is called, or says of itself elsewhere, does not count. */
function formatOf(image: Uint8Array): string {
  const text = String.fromCharCode(...image.subarray(0, 16));
  if (text.startsWith("\xff\xd8\xff")) return "jpeg";
  if (text.startsWith("\x89PNG\r\n\x1a\n")) return "png";
  if (text.startsWith("RIFF") && text.slice(8, 12) === "WEBP") return "webp";
  if (/^GIF8[79]a/.test(text)) return "gif";
  if (text.startsWith("II*\0") || text.startsWith("MM\0*")) return "tiff";
  if (/^ftypavi[fs]/.test(text.slice(4))) return "avif";
  throw new Refused("Source image type not supported");
}

/** @throws Refused for what is no image that is decoded here, or has more pixels than are decoded */
export function transform(job: Job, bytes: Uint8Array): Transformed {
  const format = formatOf(bytes);
  try {
    const size = sizeOf(bytes);
    if (size.width * size.height > MAX_PIXELS) throw new Refused("Source image resolution is too big");
    const image = resized(job, bytes, size);
    return save(image, job, job.format === "origin" ? format : job.format);
  } catch (error) {
    if (error instanceof Refused) throw error;
    if (error instanceof WebAssembly.Exception) throw refusal(error);
    throw error;
  } finally {
    free();
  }
}

/** The library's exceptions carry their kind and text. */
function refusal(error: unknown): Refused {
  const texts = String((error as { message: unknown }).message);
  return new Refused(/alloc|out of memory/i.test(texts) ? "Source image needs too much memory" : "Invalid source image");
}

/** Upright, from the header alone: nothing is decoded yet. */
function sizeOf(bytes: Uint8Array): Size {
  const header = vips.Image.newFromBuffer(bytes, "", { access: "sequential" });
  const turned = header.getTypeof("orientation") !== 0 && header.getInt("orientation") >= 5;
  return turned
    ? { width: header.height, height: header.width }
    : { width: header.width, height: header.height };
}

function resized(job: Job, bytes: Uint8Array, size: Size): any {
  const bound = Math.max(size.width, size.height);
  const wanted = job.width || job.height || bound <= MAX_SIDE
    ? job
    : { ...job, width: MAX_SIDE, height: MAX_SIDE, resize: "contain" as const };
  const { scaled, left, top, kept } = plan(size, wanted);
  if (kept.width > MAX_SIDE || kept.height > MAX_SIDE) {
    // One side alone is wanted, of an image that is very long.
    return resized({ ...wanted, width: MAX_SIDE, height: MAX_SIDE, resize: "contain" }, bytes, size);
  }
  // Decoders that can, decode at a fraction of the size. Colours become sRGB, and the image upright.
  const options = { height: scaled.height, size: "force", output_profile: "srgb", option_string: "[fail_on=truncated]" };
  const image = vips.Image.thumbnailBuffer(bytes, scaled.width, options);
  if (kept.width === scaled.width && kept.height === scaled.height) return image;
  return wanted.gravity === "sm"
    ? image.copyMemory().smartcrop(kept.width, kept.height, { interesting: "attention" })
    : image.crop(left, top, kept.width, kept.height);
}

/** Without what cameras and programs wrote into the source: places, names, thumbnails. */
function save(image: any, job: Job, format: string): Transformed {
  const Q = job.quality;
  switch (format) {
    case "webp":
      return { type: "image/webp", image: image.webpsaveBuffer({ Q, keep: "none" }) };
    case "avif":
      // The least effort of the encoder: the next step takes three times as long for the same bytes.
      return {
        type: "image/avif",
        image: image.heifsaveBuffer({ Q: avifQuality(Q), effort: 0, compression: "av1", keep: "none" }),
      };
    case "gif":
      return { type: "image/gif", image: image.gifsaveBuffer({ effort: 2, keep: "none" }) };
    case "png":
      return { type: "image/png", image: image.pngsaveBuffer({ keep: "none" }) };
    default:
      return image.hasAlpha()
        ? { type: "image/png", image: image.pngsaveBuffer({ keep: "none" }) }
        : { type: "image/jpeg", image: image.jpegsaveBuffer({ Q, keep: "none" }) };
  }
}

/** AVIF looks the same at a lower number: 80 becomes 60. */
function avifQuality(quality: number): number {
  return Math.round(quality * 0.75);
}
