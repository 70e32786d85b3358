import { ExitCode, Failure } from "../failure.js";
import { inserts, type Loading } from "./data.js";
import { type DataTable, pageOf, sequencesScript } from "./data_script.js";
import type { Rows } from "./snapshot.js";

/** The results of a script; nothing if they are more than an answer holds. */
export type Reader = (query: string) => Promise<Rows[] | undefined>;

/** Together at most the 10,000 rows of an answer; the calls of a minute are limited. */
const TABLES_AT_ONCE = 40;
const FIRST_ROWS = 250;
const ROWS_AT_ONCE = 8_000;

/** How many parts fewer rows are asked for after an answer that was too long. */
const SMALLER = 4;

/** The statements of a script that loads all rows, in their order, each read when it is asked for. */
export async function* rowStatements(read: Reader, loading: Loading): AsyncGenerator<string> {
  if (loading.notes.length > 0) yield loading.notes.join("\n");
  if (loading.tables.length === 0 && loading.sequences.length === 0) return;
  yield* loading.before;
  for (let from = 0; from < loading.tables.length; from += TABLES_AT_ONCE) {
    yield* several(read, loading.tables.slice(from, from + TABLES_AT_ONCE));
  }
  if (loading.sequences.length > 0) {
    for (const [row] of (await read(sequencesScript(loading.sequences))) ?? []) yield String(row?.["set"]);
  }
  yield* loading.behind;
}

/** The beginnings of small tables come in one call. */
async function* several(read: Reader, tables: readonly DataTable[]): AsyncGenerator<string> {
  const beginnings = await read(tables.map((table) => pageOf(table, undefined, FIRST_ROWS)).join("\n"));
  for (const [at, table] of tables.entries()) {
    const beginning = beginnings?.[at];
    if (beginning !== undefined) yield* statementsOf(table, beginning);
    if (beginning === undefined || beginning.length === FIRST_ROWS) yield* pages(read, table, beginning ?? []);
  }
}

async function* pages(read: Reader, table: DataTable, beginning: Rows): AsyncGenerator<string> {
  let [limit, last] = [ROWS_AT_ONCE, beginning.at(-1)?.["place"]];
  for (;;) {
    const rows = (await read(pageOf(table, last as string[] | undefined, limit)))?.[0];
    if (rows === undefined) {
      if (limit === 1) throw tooLong(table);
      limit = Math.max(1, Math.floor(limit / SMALLER));
      continue;
    }
    yield* statementsOf(table, rows);
    if (rows.length < limit) return;
    last = rows.at(-1)?.["place"];
  }
}

const statementsOf = (table: DataTable, rows: Rows): string[] => inserts(table, rows.map((row) => String(row["row"])));

const tooLong = ({ key }: DataTable): Failure =>
  new Failure(ExitCode.REFUSED, `A row of ${key} is longer than an answer of the SQL endpoint, 8 MB.`, {
    code: "too_much",
    next: "read that row through REST",
  });
