import { resolve, sep } from "node:path";
import { ExitCode, Failure, usage } from "../failure.js";

/** How a place in the storage begins, as in Supabase's command line. */
export const SCHEME = "ss:///";

/** A place in the project's storage: a bucket, and a path in it that may be empty. */
export interface Place {
  bucket: string;
  path: string;
}

/** @throws Failure unless it is `ss:///…`; the names below must not lead out of a folder when they are written to disk */
export function placeOf(text: string): Place {
  if (!text.startsWith(SCHEME)) throw usage(`${text} is no place in the storage.`, "such as ss:///bucket/path");
  const [bucket = "", ...path] = text.slice(SCHEME.length).split("/");
  return { bucket, path: path.join("/") };
}

/** Whether it is meant as a place in the storage. */
export const isRemote = (text: string): boolean => text.startsWith("ss:");

/** On one machine a project's host is below `localhost`, a name that Node.js often cannot resolve; its path always works. */
export function dataUrl(url: string, controlPlane: string, ref: string): string {
  const { hostname } = new URL(url);
  return hostname.endsWith(".localhost") ? `${new URL(controlPlane).origin}/p/${ref}` : url;
}

/** The place as a command line names it. */
export const shown = ({ bucket, path }: Place): string => `${SCHEME}${bucket}/${path}`;

/** A target that ends in a slash, or names only a bucket, is a folder. */
export const target = (place: Place, name: string): Place =>
  place.path === "" || place.path.endsWith("/") ? { ...place, path: `${place.path}${name}` } : place;

/** The file in the folder. Names in the storage are others' texts: one with `..` must not write elsewhere. */
export function below(folder: string, name: string): string {
  const root = resolve(folder);
  const file = resolve(root, name);
  if (name === "" || name.includes("\0") || !file.startsWith(root === sep ? sep : root + sep)) {
    throw new Failure(ExitCode.REFUSED, `${JSON.stringify(name)} leads out of ${folder}; it was not written.`);
  }
  return file;
}

const TYPES: Record<string, string> = {
  avif: "image/avif",
  css: "text/css",
  csv: "text/csv",
  gif: "image/gif",
  html: "text/html",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  js: "text/javascript",
  json: "application/json",
  md: "text/markdown",
  mp3: "audio/mpeg",
  mp4: "video/mp4",
  pdf: "application/pdf",
  png: "image/png",
  svg: "image/svg+xml",
  txt: "text/plain",
  wasm: "application/wasm",
  webm: "video/webm",
  webp: "image/webp",
  xml: "application/xml",
  zip: "application/zip",
};

/** The content type by the end of the name. */
export const contentType = (name: string): string =>
  TYPES[name.split(".").at(-1)!.toLowerCase()] ?? "application/octet-stream";
