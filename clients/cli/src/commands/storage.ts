import { openAsBlob } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import { StorageClient } from "@supabase/storage-js";
import { ExitCode, Failure, usage } from "../failure.js";
import {
  below,
  contentType,
  dataUrl,
  isRemote,
  type Place,
  placeOf,
  SCHEME,
  shown,
  target,
} from "../project/storage_place.js";
import { Session } from "../session.js";
import type { Commands } from "./command.js";

const PAGE = 1000;
const MAX_DEPTH = 64;

interface Entry {
  path: string;
  size: number | null;
  updated_at: string | null;
}

/** Files of the project, with its service-role key, which this program asks for and keeps nowhere. */
export const storage: Commands = (program, run) => {
  const group = program.command("storage").description(`the project's files; ${SCHEME}bucket/path names one`);
  group
    .command("ls")
    .description("list buckets, or what is in a folder")
    .argument("[place]", "such as ss:///bucket/folder", SCHEME)
    .option("-r, --recursive", "with all folders below")
    .action(run(list));
  group
    .command("cp")
    .description("copy to, from or in the storage")
    .argument("<from>")
    .argument("<to>")
    .option("-r, --recursive", "a folder")
    .option("--overwrite", "replace what is there")
    .option("--content-type <type>", "of an upload; otherwise by the name's end")
    .action(run(copy));
  group
    .command("mb")
    .description("make a bucket")
    .argument("<bucket>", `such as photos, or ${SCHEME}photos`)
    .option("--public", "anyone may read its files")
    .option("--file-size-limit <size>", "the largest file, such as 5MB")
    .option("--mime-types <list>", "the content types that it takes, such as image/png,image/*")
    .action(run(makeBucket));
  group
    .command("rm")
    .description("delete files")
    .argument("<place...>")
    .option("-r, --recursive", "folders with all that is in them")
    .option("--yes", "do not ask")
    .action(run(remove));
};

async function client(session: Session): Promise<StorageClient> {
  const { ref, api } = await session.project();
  const [{ url }, keys] = await Promise.all([
    api.json<{ url: string }>(Session.path(ref)),
    api.json<{ type: string; api_key?: string }[]>(Session.path(ref, "/api-keys"), { query: { reveal: "true" } }),
  ]);
  const key = keys.find(({ type }) => type === "secret")?.api_key;
  if (key === undefined) {
    throw new Failure(ExitCode.UNAUTHORIZED, "The token may not read the service-role key.", {
      next: "use a token with the permission database_query",
    });
  }
  return new StorageClient(`${dataUrl(url, api.url, ref)}/storage/v1`, { apikey: key, authorization: `Bearer ${key}` });
}

function checked<T>({ data, error }: { data: T | null; error: Error | null }): T {
  if (error === null) return data as T;
  const status = (error as { status?: number }).status;
  const code = status === undefined ? ExitCode.UNREACHABLE : ExitCode.REFUSED;
  throw new Failure(code, `Storage: ${error.message}`, { code: (error as { statusCode?: string }).statusCode });
}

async function list(session: Session, text: string, options: { recursive?: boolean }): Promise<void> {
  const { bucket, path } = placeOf(text);
  const files = await client(session);
  if (bucket === "") {
    const buckets = checked(await files.listBuckets());
    const rows = buckets.map(({ name, public: open, created_at }) => ({ name, public: open, created_at }));
    return session.console.result(rows, () => session.console.rows(rows));
  }
  const found: Entry[] = [];
  for await (const entry of entries(files, { bucket, path: trimmed(path) }, options.recursive ?? false)) {
    found.push(entry);
  }
  session.console.result(
    found,
    () =>
      session.console.rows(
        found.map(({ path, size, updated_at }) => ({ path, size: size ?? "", updated_at: updated_at ?? "" })),
      ),
  );
}

interface BucketOptions {
  public?: boolean;
  fileSizeLimit?: string;
  mimeTypes?: string;
}

async function makeBucket(session: Session, text: string, options: BucketOptions): Promise<void> {
  const { bucket, path } = isRemote(text) ? placeOf(text) : { bucket: text, path: "" };
  if (bucket === "" || path !== "") throw usage(`${text} is no name of a bucket.`, "such as photos");
  const files = await client(session);
  const made = checked(
    await files.createBucket(bucket, {
      public: options.public ?? false,
      ...(options.fileSizeLimit === undefined ? {} : { fileSizeLimit: options.fileSizeLimit }),
      ...(options.mimeTypes === undefined
        ? {}
        : { allowedMimeTypes: options.mimeTypes.split(",").map((type) => type.trim()) }),
    }),
  );
  session.console.result(made, () => shown({ bucket, path: "" }));
}

const trimmed = (path: string): string => path.replace(/\/+$/, "");

/** What is in a folder; folders end in a slash, and are entered if `deep`. */
async function* entries(
  files: StorageClient,
  { bucket, path }: Place,
  deep: boolean,
  depth = 0,
): AsyncGenerator<Entry> {
  if (depth > MAX_DEPTH) throw new Failure(ExitCode.REFUSED, `Folders are deeper than ${MAX_DEPTH}: ${path}`);
  for (let offset = 0;; offset += PAGE) {
    const page = checked(
      await files.from(bucket).list(path, { limit: PAGE, offset, sortBy: { column: "name", order: "asc" } }),
    );
    for (const item of page) {
      const full = path === "" ? item.name : `${path}/${item.name}`;
      if (item.id !== null) {
        yield {
          path: full,
          size: (item.metadata as { size?: number } | null)?.size ?? null,
          updated_at: item.updated_at,
        };
      } else if (deep) yield* entries(files, { bucket, path: full }, true, depth + 1);
      else yield { path: `${full}/`, size: null, updated_at: null };
    }
    if (page.length < PAGE) return;
  }
}

interface CopyOptions {
  recursive?: boolean;
  overwrite?: boolean;
  contentType?: string;
}

async function copy(session: Session, from: string, to: string, options: CopyOptions): Promise<void> {
  if (!isRemote(from) && !isRemote(to)) throw usage("One of the two must be in the storage.", "ss:///bucket/path");
  const files = await client(session);
  const copied = isRemote(from)
    ? isRemote(to)
      ? await within(files, placeOf(from), placeOf(to), options)
      : await download(session, files, placeOf(from), to, options)
    : await upload(session, files, from, placeOf(to), options);
  session.console.result(copied, () => copied.map(({ from, to }) => `${from} -> ${to}`).join("\n"));
}

interface Copied {
  from: string;
  to: string;
}

async function within(files: StorageClient, from: Place, to: Place, options: CopyOptions): Promise<Copied[]> {
  if (options.recursive) throw usage("Folders are copied to and from this machine only.");
  const place = target(to, basename(from.path));
  checked(await files.from(from.bucket).copy(from.path, place.path, { destinationBucket: place.bucket }));
  return [{ from: shown(from), to: shown(place) }];
}

async function upload(
  session: Session,
  files: StorageClient,
  from: string,
  to: Place,
  options: CopyOptions,
): Promise<Copied[]> {
  if (to.bucket === "") throw usage("Into which bucket?", "ss:///bucket/path; svc storage ls lists them");
  const several = (await stat(from)).isDirectory();
  const sources = several ? await filesBelow(from, options.recursive ?? false) : [basename(from)];
  const folder = several ? from : dirname(from);
  const copied: Copied[] = [];
  for (const name of sources) {
    const place = several
      ? { ...to, path: [trimmed(to.path), name].filter((part) => part !== "").join("/") }
      : target(to, name);
    session.console.progress(`${name} ...`);
    // A blob of a file is read while it is sent, not before.
    const body = await openAsBlob(join(folder, name), { type: options.contentType ?? contentType(name) });
    checked(
      await files.from(place.bucket).upload(place.path, body, {
        upsert: options.overwrite ?? false,
        contentType: body.type,
      }),
    );
    copied.push({ from: join(folder, name), to: shown(place) });
  }
  return copied;
}

/** Paths below a folder with slashes; links are not followed. */
async function filesBelow(folder: string, recursive: boolean): Promise<string[]> {
  if (!recursive) throw usage(`${folder} is a folder.`, "add --recursive");
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  return found
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .sort();
}

async function download(
  session: Session,
  files: StorageClient,
  from: Place,
  to: string,
  options: CopyOptions,
): Promise<Copied[]> {
  const folder = await stat(to).then((found) => found.isDirectory(), () => to.endsWith(sep));
  if (!options.recursive) {
    const file = folder ? below(to, basename(from.path)) : to;
    await downloadFile(files, from, file, options);
    return [{ from: shown(from), to: file }];
  }
  const root = trimmed(from.path);
  const copied: Copied[] = [];
  for await (const { path } of entries(files, { ...from, path: root }, true)) {
    const file = below(to, root === "" ? path : path.slice(root.length + 1));
    session.console.progress(`${path} ...`);
    await downloadFile(files, { ...from, path }, file, options);
    copied.push({ from: shown({ ...from, path }), to: file });
  }
  return copied;
}

/** Written beside and renamed: a download that breaks off leaves no half file under the name. */
async function downloadFile(files: StorageClient, from: Place, file: string, options: CopyOptions): Promise<void> {
  if (!options.overwrite && (await stat(file).then(() => true, () => false))) {
    throw new Failure(ExitCode.REFUSED, `${file} is there already.`, { next: "add --overwrite" });
  }
  const stream = checked(await files.from(from.bucket).download(from.path).asStream());
  await mkdir(dirname(file), { recursive: true });
  const part = `${file}.${process.pid}.part`;
  try {
    const handle = await open(part, "wx");
    try {
      for await (const bytes of stream as unknown as AsyncIterable<Uint8Array>) await handle.writeFile(bytes);
    } finally {
      await handle.close();
    }
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

async function remove(
  session: Session,
  texts: string[],
  options: { recursive?: boolean; yes?: boolean },
): Promise<void> {
  const places = texts.map(placeOf);
  const unclear = places.find(({ bucket, path }) => bucket === "" || (path === "" && !options.recursive));
  if (unclear !== undefined) throw usage(`${shown(unclear)} is no file.`, "name a file, or add --recursive");
  const files = await client(session);
  const removed: string[] = [];
  for (const { bucket, path } of places) {
    const paths: string[] = [];
    if (options.recursive) {
      for await (const entry of entries(files, { bucket, path: trimmed(path) }, true)) paths.push(entry.path);
      const what = `This deletes ${paths.length} files in ${shown({ bucket, path })}`;
      await session.console.confirm(what, bucket, options.yes ?? false);
    } else paths.push(path);
    for (let at = 0; at < paths.length; at += PAGE) {
      const gone = checked(await files.from(bucket).remove(paths.slice(at, at + PAGE)));
      removed.push(...gone.map(({ name }) => shown({ bucket, path: name })));
    }
    if (!options.recursive && removed.length === 0) {
      throw new Failure(ExitCode.REFUSED, `${shown({ bucket, path })} does not exist.`, { next: "svc storage ls" });
    }
  }
  session.console.result(removed, () => removed.map((name) => `deleted ${name}`).join("\n") || "(none)");
}
