/** Sizes and places, in pixels. Nothing is ever enlarged, as in Supabase. */
import { Job } from "./frame.ts";

export interface Size {
  width: number;
  height: number;
}

/** What the image is scaled to, and the part of that which is kept. */
export interface Plan {
  scaled: Size;
  left: number;
  top: number;
  kept: Size;
}

const atLeastOne = (size: number) => Math.max(1, Math.round(size));

export function plan(source: Size, job: Job): Plan {
  const { horizontal, vertical } = factors(source, job);
  const scaled = { width: atLeastOne(source.width * horizontal), height: atLeastOne(source.height * vertical) };
  const whole = { scaled, left: 0, top: 0, kept: scaled };
  if (job.resize !== "cover" || !job.width || !job.height) return whole;
  const kept = { width: Math.min(job.width, scaled.width), height: Math.min(job.height, scaled.height) };
  const { left, top } = place(scaled, kept, job);
  return { scaled, left, top, kept };
}

function factors(source: Size, job: Job): { horizontal: number; vertical: number } {
  const horizontal = job.width / source.width;
  const vertical = job.height / source.height;
  if (!job.width && !job.height) return { horizontal: 1, vertical: 1 };
  if (!job.width || !job.height) return same(Math.min(1, horizontal || vertical));
  switch (job.resize) {
    case "cover":
      return same(Math.min(1, Math.max(horizontal, vertical)));
    case "contain":
      return same(Math.min(1, horizontal, vertical));
    case "fill": {
      // Where one side would grow, both shrink, so that the wanted shape stays.
      const largest = Math.max(1, horizontal, vertical);
      return { horizontal: horizontal / largest, vertical: vertical / largest };
    }
  }
}

function same(factor: number): { horizontal: number; vertical: number } {
  return { horizontal: factor, vertical: factor };
}

/** The kept part. An offset below 1 is a share of the kept size, else it is in pixels; it leads away from the edge. */
function place(scaled: Size, kept: Size, job: Job): { left: number; top: number } {
  const [wide, high] = [scaled.width - kept.width, scaled.height - kept.height];
  const within = (offset: number, most: number) => Math.min(most, Math.max(0, Math.round(offset)));
  if (job.gravity === "fp") {
    return {
      left: within(job.x * scaled.width - kept.width / 2, wide),
      top: within(job.y * scaled.height - kept.height / 2, high),
    };
  }
  const x = Math.abs(job.x) < 1 ? job.x * kept.width : job.x;
  const y = Math.abs(job.y) < 1 ? job.y * kept.height : job.y;
  const { gravity } = job;
  const left = gravity.endsWith("we") ? x : gravity.endsWith("ea") ? wide - x : wide / 2 + x;
  const top = gravity.startsWith("no") ? y : gravity.startsWith("so") ? high - y : high / 2 + y;
  return { left: within(left, wide), top: within(top, high) };
}
