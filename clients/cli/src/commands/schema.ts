import { open, writeFile } from "node:fs/promises";
import { ExitCode, Failure, usage } from "../failure.js";
import type { ManagementApi } from "../management_api.js";
import { SNAPSHOT_SCRIPT } from "../schema/catalog_script.js";
import { readLoading } from "../schema/data.js";
import { DATA_SCRIPT } from "../schema/data_script.js";
import { diff } from "../schema/difference.js";
import { FamiliarNames } from "../schema/familiar_names.js";
import { rowStatements } from "../schema/row_pages.js";
import { readSnapshot, type Rows, type Snapshot } from "../schema/snapshot.js";
import { dropEverything, joined, script } from "../schema/statements.js";
import { Session } from "../session.js";
import { applyFolder, historyOf, repaired, runSeed, titleOf, writeMigration } from "./migrations.js";

interface Output {
  output?: string;
}

interface StatementResult {
  rows?: Rows;
  cut?: boolean;
}

const SHADOW_LIMIT = 120_000;

/** The catalog of some thousand tables, read through the project's own views, takes a while. */
const MAX_SECONDS = 300;
const REPAIRED_AT_ONCE = 500;

async function write(session: Session, text: string, { output }: Output): Promise<void> {
  if (output === undefined) return session.console.raw("sql", text);
  await writeFile(output, text);
  session.console.result({ file: output }, () => output);
}

/** The results of a read-only script, or nothing if they are more than an answer holds. */
async function resultsOrCut(api: ManagementApi, ref: string, query: string): Promise<Rows[] | undefined> {
  const answers = await api.json<StatementResult[]>(Session.path(ref, "/database/query"), {
    method: "POST",
    query: { results: "all" },
    body: { query, read_only: true, timeout_seconds: MAX_SECONDS },
    timeout: (MAX_SECONDS + 30) * 1000,
    repeatable: true,
  });
  if (answers.some(({ cut }) => cut)) return undefined;
  return answers.flatMap(({ rows }) => (rows === undefined ? [] : [rows]));
}

async function results(api: ManagementApi, ref: string, query: string): Promise<Rows[]> {
  const rows = await resultsOrCut(api, ref, query);
  if (rows !== undefined) return rows;
  throw new Failure(ExitCode.REFUSED, "The schema is more than the SQL endpoint answers: 8 MB in all.", {
    code: "too_much",
    next: "read its parts by svc db query",
  });
}

async function snapshotOf(api: ManagementApi, ref: string): Promise<Snapshot> {
  const { schema } = await api.json<{ schema: string }>(Session.path(ref));
  return readSnapshot((await results(api, ref, SNAPSHOT_SCRIPT)).flat(), new FamiliarNames(schema));
}

/** `svc db dump` */
export async function dumpDatabase(session: Session, options: Output & { dataOnly?: boolean }): Promise<void> {
  const { ref, api } = await session.project();
  if (options.dataOnly) return dumpRows(session, api, ref, options);
  const snapshot = await snapshotOf(api, ref);
  for (const text of snapshot.leftOut) session.console.note(`svc: not in the dump: ${text}`);
  return write(session, script(snapshot), options);
}

/** Rows are written as they are read, so that those of a large table never are in memory together. */
async function dumpRows(session: Session, api: ManagementApi, ref: string, { output }: Output): Promise<void> {
  const loading = readLoading((await results(api, ref, DATA_SCRIPT)).flat());
  for (const note of loading.notes) session.console.note(note.replace(/^-- /, "svc: "));
  const statements = rowStatements((query) => resultsOrCut(api, ref, query), loading);
  if (output !== undefined) {
    const file = await open(output, "w");
    try {
      for await (const statement of statements) await file.write(`${joined([statement])}\n`);
    } finally {
      await file.close();
    }
    return session.console.result({ file: output }, () => output);
  }
  const all: string[] = [];
  for await (const statement of statements) {
    if (session.console.json) all.push(statement);
    else await session.console.part(joined([statement]));
  }
  if (session.console.json) session.console.raw("sql", joined(all));
}

/** `svc db diff`: the folder's migrations are applied to a project that lives only as long as the command. */
export async function diffDatabase(session: Session, options: Output & { migration?: string }): Promise<void> {
  const { migration, output } = options;
  if (migration !== undefined && output !== undefined) throw usage("Give either --output or --migration.");
  const title = migration === undefined ? undefined : titleOf(migration);
  const { ref, api } = await session.project();
  const workspace = await session.workspace();
  const shadow = await createShadow(session, api);
  try {
    await applyFolder(session, api, shadow, workspace, false);
    const [before, after] = [await snapshotOf(api, shadow), await snapshotOf(api, ref)];
    const text = diff(before, after);
    for (const left of after.leftOut) session.console.note(`svc: not compared: ${left}`);
    if (text === "" && !session.console.quiet) {
      session.console.note(`${ref} is as the migrations of ${workspace.folder} make it.`);
    }
    if (title === undefined) return await write(session, text, options);
    if (text === "") return session.console.result({ file: null }, () => "There is nothing to keep.");
    await keepDifference(session, api, ref, title, text);
  } finally {
    await api.json(Session.path(shadow), { method: "DELETE" });
  }
}

/** The project has the difference already: pushed, it would fail at the first thing that exists. */
async function keepDifference(
  session: Session,
  api: ManagementApi,
  ref: string,
  title: string,
  text: string,
): Promise<void> {
  const { file, version } = await writeMigration(await session.workspace(), title, text);
  await repaired(api, ref, "applied", [version]);
  session.console.result({ file, version }, () => `${file} (recorded as applied to ${ref})`);
}

async function createShadow(session: Session, api: ManagementApi): Promise<string> {
  session.console.progress("making a project to compare with ...");
  const body = { name: "svc db diff", deletion_policy: "Delete" };
  const { project } = await api.json<{ project: { ref: string; status: string } }>("/projects", {
    method: "POST",
    body,
  });
  const limit = performance.now() + SHADOW_LIMIT;
  for (let { status } = project; status !== "ACTIVE_HEALTHY";) {
    if (performance.now() > limit) {
      await api.json(Session.path(project.ref), { method: "DELETE" });
      throw new Failure(ExitCode.REFUSED, "The project to compare with was not ready within two minutes.", {
        next: "try again",
      });
    }
    await new Promise((resume) => setTimeout(resume, 500));
    ({ status } = await api.json<{ status: string }>(Session.path(project.ref)));
  }
  return project.ref;
}

/** `svc db reset` */
export async function resetDatabase(session: Session, options: { seed: boolean; yes?: boolean }): Promise<void> {
  const { ref, api } = await session.project();
  const workspace = await session.workspace();
  // Read before anything is lost: a file with a wrong name ends the command here.
  await workspace.migrationFiles();
  await session.console.confirm(`This drops all tables and functions of the project ${ref}`, ref, options.yes ?? false);
  const drops = dropEverything(await snapshotOf(api, ref));
  if (drops !== "") {
    session.console.progress("dropping ...");
    await api.json(Session.path(ref, "/database/query"), { method: "POST", body: { query: drops } });
  }
  const versions = (await historyOf(api, ref)).map(({ version }) => version);
  for (let at = 0; at < versions.length; at += REPAIRED_AT_ONCE) {
    await repaired(api, ref, "reverted", versions.slice(at, at + REPAIRED_AT_ONCE));
  }
  const migrations = await applyFolder(session, api, ref, workspace, false);
  const seeded = options.seed && (await runSeed(session, api, ref, workspace));
  session.console.result(
    { migrations, seeded },
    () => `${ref} was reset: ${migrations.length} migrations applied${seeded ? ", seed.sql was run" : ""}.`,
  );
}
