import { readFile } from "node:fs/promises";
import type { Console } from "../console.js";
import { usage } from "../failure.js";
import { Session } from "../session.js";
import { showAdvisors } from "./advisors.js";
import type { Commands } from "./command.js";
import { applyFolder, pushMigrations, runSeed } from "./migrations.js";
import { diffDatabase, dumpDatabase, resetDatabase } from "./schema.js";

interface QueryOptions {
  file?: string;
  param?: string[];
  readOnly?: boolean;
  as?: string;
  claims?: string;
  all?: boolean;
  sqlTimeout?: string;
}

interface StatementResult {
  command: string;
  rowCount: number | null;
  rows?: Record<string, unknown>[];
}

/** SQL and the schema of the project's database. */
export const database: Commands = (program, run) => {
  const group = program.command("db").description("the project's database");
  group
    .command("query")
    .description("run SQL: the argument, a file, or standard input")
    .argument("[sql]")
    .option("-f, --file <file>", "read the SQL from a file; - is standard input")
    .option(
      "-p, --param <json>",
      "the value of $1 as JSON; again for $2, …",
      (text: string, all?: string[]) => [...(all ?? []), text],
    )
    .option("--read-only", "in a read-only transaction")
    .option("--as <role>", "in the role anon or authenticated")
    .option("--claims <json>", "with --as: the claims of the token")
    .option("--all", "the results of every statement")
    .option("--sql-timeout <seconds>", "how long the SQL may take (30)")
    .action(run(query));
  group
    .command("push")
    .description("apply the new migrations of the folder")
    .option("--dry-run", "run them and roll them back")
    .option("--include-seed", "then run seed.sql")
    .action(run(push));
  group
    .command("dump")
    .description("print the schema of the project as SQL, or its rows")
    .option("--data-only", "the rows of all tables, as INSERT")
    .option("-o, --output <file>", "write to a file")
    .action(run(dumpDatabase));
  group
    .command("diff")
    .description("print the SQL that leads from the folder's migrations to the project's schema")
    .option("-o, --output <file>", "write to a file")
    .option("--migration <name>", "keep it as a migration of the folder, recorded as applied to the project")
    .action(run(diffDatabase));
  group
    .command("advisors")
    .description("find what is unsafe or slow")
    .option("--type <type>", "security or performance; both without it")
    .option("--fail-on <level>", "exit with 1 at a finding of this level or worse: info, warn, error")
    .action(run(showAdvisors));
  group
    .command("reset")
    .description("drop everything in the project's schema, then apply the folder's migrations and seed.sql")
    .option("--no-seed", "without seed.sql")
    .option("--yes", "do not ask")
    .action(run(resetDatabase));
};

async function query(session: Session, argument: string | undefined, options: QueryOptions): Promise<void> {
  const sql = await sqlOf(session, argument, options.file);
  const seconds = options.sqlTimeout === undefined ? undefined : Number(options.sqlTimeout);
  if (seconds !== undefined && !(seconds >= 1 && seconds <= 300)) throw usage("--sql-timeout is 1 to 300 seconds.");
  const { ref, api } = await session.project();
  const body = {
    query: sql,
    ...(options.param === undefined ? {} : { parameters: options.param.map((text) => jsonOf(text, "--param")) }),
    ...(options.readOnly ? { read_only: true } : {}),
    ...(options.claims === undefined ? {} : { claims: jsonOf(options.claims, "--claims") }),
    ...(seconds === undefined ? {} : { timeout_seconds: seconds }),
  };
  const { body: answer, headers } = await api.answer<unknown>(Session.path(ref, "/database/query"), {
    method: "POST",
    body,
    query: { as: options.as, results: options.all ? "all" : undefined },
    ...(seconds === undefined ? {} : { timeout: (seconds + 15) * 1000 }),
  });
  const cut = headers.get("svc-result-cut");
  if (cut !== null) session.console.note(`warning: the answer is not complete: ${cut} is all that was sent.`);
  session.console.result(
    answer,
    () =>
      options.all
        ? (answer as StatementResult[]).map((one) => statement(session.console, one)).join("\n\n")
        : session.console.rows(answer as Record<string, unknown>[]),
  );
}

const statement = (console: Console, { command, rowCount, rows }: StatementResult): string =>
  `${command}${rowCount === null ? "" : ` ${rowCount}`}${rows === undefined ? "" : `\n${console.rows(rows)}`}`;

async function sqlOf(session: Session, argument: string | undefined, file: string | undefined): Promise<string> {
  if (argument !== undefined && file !== undefined) throw usage("Give the SQL either as an argument or as a file.");
  if (argument !== undefined && argument !== "-") return argument;
  if (file !== undefined && file !== "-") return readFile(file, "utf8");
  if (argument === undefined && file === undefined && session.console.interactive) {
    throw usage("There is no SQL.", 'svc db query "select 1", or svc db query -f file.sql');
  }
  const sql = await session.console.input();
  if (sql.trim() === "") throw usage("There is no SQL on standard input.", 'svc db query "select 1"');
  return sql;
}

function jsonOf(text: string, option: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw usage(`${option} ${text} is no JSON.`, `a text needs quotation marks: ${option} '"text"'`);
  }
}

async function push(session: Session, options: { dryRun?: boolean; includeSeed?: boolean }): Promise<void> {
  if (!options.includeSeed) return pushMigrations(session, options);
  if (options.dryRun) throw usage("--dry-run does not go together with --include-seed.");
  const { ref, api } = await session.project();
  const workspace = await session.workspace();
  const migrations = await applyFolder(session, api, ref, workspace, false);
  const seeded = await runSeed(session, api, ref, workspace);
  session.console.result(
    { migrations, seeded },
    () =>
      `${migrations.filter(({ state }) => state === "applied").length} migrations applied; ${
        seeded ? "seed.sql was run" : "there is no seed.sql"
      }.`,
  );
}
