import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { counted } from "../console.js";
import { ExitCode, Failure, usage } from "../failure.js";
import type { ManagementApi } from "../management_api.js";
import { Problem } from "../management_api.js";
import { type MigrationFile, readIfThere, type Workspace, writeNew } from "../project/workspace.js";
import { Session } from "../session.js";
import type { Commands } from "./command.js";

/** A migration of the project's history. */
export interface Applied {
  version: string;
  name?: string;
  state: string;
  applied_at?: string;
}

interface Outcome extends Applied {
  commands?: string[];
}

const FOLDER_FILES = 500;
/** A call of so much fits into the memory of a small installation; a file may have 2 MB. */
const FOLDER_BYTES = 4_000_000;
/** What the platform takes at once: the files of a dry run must see each other. */
const DRY_RUN_BYTES = 20_000_000;
/** The platform ends a folder, or a rollback, after 300 s. */
const FOLDER_TIMEOUT = 310_000;

/** Migrations: SQL files that are applied once. */
export const migrations: Commands = (program, run) => {
  const group = program.command("migrations").alias("migration").description("SQL that is applied once");
  group
    .command("new")
    .description("make an empty file for a migration")
    .argument("<name>")
    .option("--from <file>", "with the content of a file; - is standard input")
    .action(run(create));
  group.command("list").description("compare the folder with the project's history").action(run(list));
  group
    .command("up")
    .description("apply the migrations of the folder that the project does not have")
    .option("--dry-run", "run them and roll them back")
    .action(run(async (session, options: { dryRun?: boolean }) => pushMigrations(session, options)));
  group
    .command("down")
    .description("roll back this migration and all after it, with the SQL that the project keeps for each")
    .argument("<version>")
    .option("--yes", "do not ask")
    .action(run(rollBack));
  group
    .command("set-rollback")
    .description("keep the SQL that undoes an applied migration, for down")
    .argument("<version>")
    .requiredOption("--from <file>", "the SQL; - is standard input")
    .action(run(setRollback));
  group
    .command("repair")
    .description("correct the history without running SQL")
    .argument("<version...>")
    .requiredOption("--status <status>", "applied or reverted")
    .action(run(repair));
};

async function create(session: Session, name: string, options: { from?: string }): Promise<void> {
  const title = titleOf(name);
  const workspace = await session.workspace();
  const content = options.from === undefined ? "" : await textOf(session, options.from);
  const { file, version } = await writeMigration(workspace, title, content);
  session.console.result({ file, version }, () => file);
}

const textOf = (session: Session, file: string): Promise<string> =>
  file === "-" ? session.console.input() : readFile(file, "utf8");

/** The part of a migration's file name that says what it does. */
export function titleOf(name: string): string {
  const title = name.trim().toLowerCase().replace(/[^a-z0-9]+/g, "_").replace(/^_+|_+$/g, "");
  if (title === "") throw usage("The name needs letters or digits.", "svc migrations new create_todos");
  return title;
}

/** Writes the next migration of the folder. */
export async function writeMigration(
  workspace: Workspace,
  title: string,
  content: string,
): Promise<{ file: string; version: string }> {
  await mkdir(workspace.migrations, { recursive: true });
  const taken = new Set((await workspace.migrationFiles()).map(({ version }) => version));
  let moment = Date.now();
  while (taken.has(versionOf(moment))) moment += 1000;
  const version = versionOf(moment);
  const file = join(workspace.migrations, `${version}_${title}.sql`);
  await writeNew(file, content);
  return { file, version };
}

const versionOf = (moment: number): string => new Date(moment).toISOString().replace(/\D/g, "").slice(0, 14);

async function list(session: Session): Promise<void> {
  const { ref, api } = await session.project();
  const workspace = await session.workspace();
  const [files, history] = await Promise.all([workspace.migrationFiles(), historyOf(api, ref)]);
  const local = new Map(files.map(({ version, file }) => [version, file]));
  const remote = new Map(history.map((applied) => [applied.version, applied]));
  const rows = [...new Set([...local.keys(), ...remote.keys()])].sort().map((version) => ({
    version,
    file: local.get(version) ?? null,
    state: remote.get(version)?.state ?? "pending",
    applied_at: remote.get(version)?.applied_at ?? null,
  }));
  session.console.result(
    rows,
    () =>
      session.console.rows(
        rows.map((row) => ({ ...row, file: row.file ?? "(not in the folder)", applied_at: row.applied_at ?? "" })),
      ),
  );
}

/** All of the history, page after page. */
export async function historyOf(api: ManagementApi, ref: string): Promise<Applied[]> {
  const all: Applied[] = [];
  const path = Session.path(ref, "/database/migrations");
  let query: Record<string, string> = { limit: "1000" };
  for (;;) {
    const { body, headers } = await api.answer<Applied[]>(path, { query });
    all.push(...body);
    const next = /<([^>]+)>;\s*rel="?next"?/.exec(headers.get("link") ?? "")?.[1];
    if (next === undefined) return all;
    // Only the parameters: the address itself stays the one that the user gave.
    query = Object.fromEntries(new URL(next, api.url).searchParams);
  }
}

/** Applies the folder; also `db push`. Answers with what became of each file. */
export async function pushMigrations(session: Session, options: { dryRun?: boolean }): Promise<void> {
  const { ref, api } = await session.project();
  const workspace = await session.workspace();
  const outcomes = await applyFolder(session, api, ref, workspace, options.dryRun ?? false);
  const changed = outcomes.filter(({ state }) => state !== "already_applied");
  session.console.result(
    { migrations: outcomes },
    () =>
      outcomes.length === 0
        ? `There are no migrations in ${workspace.migrations}.`
        : changed.length === 0
        ? `Nothing to do: all ${outcomes.length} migrations are applied.`
        : session.console.rows(changed.map(({ version, name, state }) => ({ version, name: name ?? "", state }))),
  );
}

export async function applyFolder(
  session: Session,
  api: ManagementApi,
  ref: string,
  workspace: Workspace,
  dryRun: boolean,
): Promise<Outcome[]> {
  const files = await workspace.migrationFiles();
  const texts = await Promise.all(files.map(({ file }) => readFile(join(workspace.migrations, file), "utf8")));
  const parts = inParts(
    files.map((file, at) => ({ ...file, query: texts[at]! })),
    dryRun ? DRY_RUN_BYTES : FOLDER_BYTES,
  );
  if (dryRun && parts.length > 1) {
    throw usage("The folder is too large for one call, and a dry run of its parts would not see each other.");
  }
  const outcomes: Outcome[] = [];
  for (const part of parts) {
    session.console.progress(`sending ${counted(part.length, "migration")} to ${ref} ...`);
    const body = {
      migrations: part.map(({ file, query }) => ({ name: file, query })),
      ...(dryRun ? { dry_run: true } : {}),
    };
    try {
      const answer = await api.json<{ migrations: Outcome[] }>(Session.path(ref, "/database/migrations"), {
        method: "POST",
        body,
        timeout: FOLDER_TIMEOUT,
      });
      outcomes.push(...answer.migrations);
    } catch (error) {
      throw explained(error, part);
    }
  }
  return outcomes;
}

/** Parts that the platform takes in one call each, in order. */
function inParts<T extends { query: string }>(files: readonly T[], limit: number): T[][] {
  const parts: T[][] = [];
  let bytes = 0;
  for (const file of files) {
    const size = Buffer.byteLength(file.query);
    const last = parts.at(-1);
    if (last === undefined || last.length === FOLDER_FILES || bytes + size > limit) {
      parts.push([file]);
      bytes = size;
    } else {
      last.push(file);
      bytes += size;
    }
  }
  return parts;
}

/** Names the file that failed, and says what to do about the ones before it. */
function explained(error: unknown, part: readonly MigrationFile[]): unknown {
  if (error instanceof Problem) {
    const version = error.body["version"];
    const outcomes = Array.isArray(error.body["migrations"]) ? (error.body["migrations"] as Outcome[]) : [];
    const failed = part.find((file) => file.version === version);
    if (failed === undefined) return error;
    const applied = outcomes.filter(({ state }) => state === "applied").length;
    const next = error.details.code === "migration_changed"
      ? "an applied migration must not change: restore the file, and put the change into a new one"
      : ALREADY_THERE.has(String(error.body["sqlstate"]))
      ? `if the project has this change already: svc migrations repair ${failed.version} --status applied; ` +
        `otherwise correct ${failed.file}`
      : `correct ${failed.file} and run the command again; ${applied} migrations before it were applied and stay`;
    return new Failure(error.exitCode, `${failed.file}: ${error.message}`, { ...error.details, next });
  }
  if (error instanceof Failure && error.exitCode === ExitCode.UNREACHABLE) {
    return new Failure(error.exitCode, error.message, {
      ...error.details,
      next: "run the command again: what was applied is not applied twice",
    });
  }
  return error;
}

/** SQLSTATEs of what exists: schema, table, column, type or constraint, function. */
const ALREADY_THERE = new Set(["42P06", "42P07", "42701", "42710", "42723"]);

async function repair(session: Session, versions: string[], options: { status: string }): Promise<void> {
  if (options.status !== "applied" && options.status !== "reverted") throw usage("--status is applied or reverted.");
  const { ref, api } = await session.project();
  const answer = await repaired(api, ref, options.status, versions);
  session.console.result(
    answer,
    () => session.console.rows(answer.migrations.map(({ version, state }) => ({ version, state }))),
  );
}

/** Corrects the history without running SQL. */
export const repaired = (
  api: ManagementApi,
  ref: string,
  status: "applied" | "reverted",
  versions: string[],
): Promise<{ migrations: Outcome[] }> =>
  api.json(Session.path(ref, "/database/migrations/repair"), { method: "POST", body: { status, versions } });

function requireVersion(version: string): void {
  if (!/^\d{1,32}$/.test(version)) throw usage("A version is digits, at most 32.", "svc migrations list");
}

async function setRollback(session: Session, version: string, options: { from: string }): Promise<void> {
  requireVersion(version);
  const rollback = await textOf(session, options.from);
  if (rollback.trim() === "") throw usage(`There is no SQL in ${options.from}.`);
  const { ref, api } = await session.project();
  await api.json(Session.path(ref, `/database/migrations/${version}`), { method: "PATCH", body: { rollback } });
  session.console.result({ version }, () => `Kept. svc migrations down ${version} runs it.`);
}

async function rollBack(session: Session, version: string, options: { yes?: boolean }): Promise<void> {
  requireVersion(version);
  const { ref, api } = await session.project();
  await session.console.confirm(
    `This rolls back the migrations of the project ${ref} from ${version} on`,
    ref,
    options.yes ?? false,
  );
  const migrations = await api.json<Pick<Applied, "version" | "name">[]>(Session.path(ref, "/database/migrations"), {
    method: "DELETE",
    query: { gte: version },
    timeout: FOLDER_TIMEOUT,
  });
  session.console.result(
    { migrations },
    () =>
      migrations.length === 0
        ? `Nothing to do: no migration from ${version} on is applied.`
        : session.console.rows(migrations.map((one) => ({ version: one.version, name: one.name ?? "" }))),
  );
}

/** Runs `seed.sql` of the folder, if there is one. */
export async function runSeed(
  session: Session,
  api: ManagementApi,
  ref: string,
  workspace: Workspace,
): Promise<boolean> {
  const query = await readIfThere(workspace.seed);
  if (query === undefined || query.trim() === "") return false;
  session.console.progress(`running ${workspace.seed} ...`);
  await api.json(Session.path(ref, "/database/query"), { method: "POST", body: { query } });
  return true;
}
