/**
 * Scales and encodes images of strangers, for a parent that must never be brought down by one. Runs with no permission;
 * speaks the frames of frame.ts over stdin and stdout, one job after the other. Ends when its input ends, or with code 2
 * when the input is not made of frames. What the decoder cannot survive ends the process, and the parent starts another.
 *
 * The answer to a job is {"type": "image/webp", "length": …} with the image behind it, or {"refused": reason}. The first
 * answer, {}, is sent unasked and says that the process is ready.
 */
import { Job, MalformedFrame, readJob, writeAnswer } from "./frame.ts";
import { Refused, transform } from "./transform.ts";
import { free, vips } from "./vips.ts";

/** The engine compiles what runs for the first time: on an image of ours rather than on a client's. */
function warmUp(): void {
  const noise = vips.Image.gaussnoise(800, 600, { mean: 128, sigma: 30 }).cast("uchar");
  const photo: Uint8Array = noise.bandjoin([noise, noise]).copy({ interpretation: "srgb" }).jpegsaveBuffer();
  free();
  const job: Job = {
    length: photo.length,
    width: 300,
    height: 200,
    resize: "cover",
    gravity: "ce",
    x: 0,
    y: 0,
    quality: 80,
    format: "webp",
  };
  transform(job, photo);
  transform({ ...job, format: "origin" }, photo);
}

function answer(job: Job, image: Uint8Array): void {
  try {
    const made = transform(job, image);
    writeAnswer({ type: made.type }, made.image);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    writeAnswer({ refused: error.message });
  }
}

try {
  warmUp();
  writeAnswer({});
  for (let next = await readJob(); next !== null; next = await readJob()) answer(next.job, next.image);
  Deno.exit(0);
} catch (error) {
  const text = error instanceof MalformedFrame ? error.message : String(error);
  Deno.stderr.writeSync(new TextEncoder().encode(`image: ${text}\n`));
  Deno.exit(error instanceof MalformedFrame ? 2 : 1);
}
