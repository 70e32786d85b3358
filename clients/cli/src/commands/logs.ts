import { setTimeout as sleep } from "node:timers/promises";
import { ExitCode, Failure, usage } from "../failure.js";
import type { ManagementApi } from "../management_api.js";
import { Session } from "../session.js";
import type { Commands } from "./command.js";

interface Line {
  id: string;
  time: string;
  level: string;
  event: string;
  request_id?: string;
  message: string;
}

interface SqlCall {
  id: string;
  started_at: string;
  result: string;
  code?: string;
  statement_kinds?: string[];
  request_id?: string;
  duration_ms?: number;
}

interface LogOptions {
  since?: string;
  limit?: string;
  follow?: boolean;
}

/** The longest time without a line or an empty line, which the platform sends every ten seconds. */
const SILENCE = 30_000;
const REMEMBERED = 5000;

/** What happened in a project. */
export const logs: Commands = (program, run) => {
  program
    .command("logs")
    .description("the newest lines of all functions and the calls of the SQL endpoint, by time")
    .option("--since <time>", "from this time on, such as 2030-01-31T12:00:00Z")
    .option("--limit <number>", "at most so many lines (100)")
    .option("--source <source>", "functions or sql; both without it")
    .action(run(projectLogs));
};

const text = (line: Line): string => `${line.time} ${line.level.padEnd(5)} ${line.event} ${line.message}`;

/** The log of one function; with `follow` until the user ends it, across the platform's ten minutes for one answer. */
export async function functionLogs(session: Session, name: string, options: LogOptions): Promise<void> {
  checkOptions(options);
  const { ref, api } = await session.project();
  const path = Session.path(ref, `/functions/${encodeURIComponent(name)}/logs`);
  if (!options.follow) {
    const lines = await api.json<Line[]>(path, { query: { since: options.since, limit: options.limit } });
    session.console.result(lines, () => lines.map(text).join("\n"));
    return;
  }
  const seen = new Set<string>();
  let since = options.since;
  for (;;) {
    for await (const line of follow(api, path, { since, limit: options.limit })) {
      if (seen.has(line.id)) continue;
      seen.add(line.id);
      if (seen.size > REMEMBERED) seen.delete(seen.values().next().value!);
      since = line.time;
      session.console.line(line, () => text(line));
    }
    await sleep(500);
  }
}

/** The lines of one answer, until the platform ends it. */
async function* follow(
  api: ManagementApi,
  path: string,
  query: { since?: string | undefined; limit?: string | undefined },
): AsyncGenerator<Line> {
  const response = await api.send(path, { query: { ...query, follow: "true" } });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      let timer: NodeJS.Timeout | undefined;
      const silent = new Promise<never>((_, reject) => {
        timer = setTimeout(
          () => reject(new Failure(ExitCode.UNREACHABLE, "The log fell silent.", { next: "try again" })),
          SILENCE,
        );
      });
      const { done, value } = await Promise.race([reader.read(), silent]).finally(() => clearTimeout(timer));
      const lines = (rest + (value ?? "")).split("\n");
      rest = done ? "" : lines.pop()!;
      for (const line of lines) if (line.trim() !== "") yield JSON.parse(line) as Line;
      if (done) return;
    }
  } catch (error) {
    if (error instanceof Failure) throw error;
    // A connection that broke off in the middle: the caller asks again from the last line on.
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function projectLogs(session: Session, options: LogOptions & { source?: string }): Promise<void> {
  checkOptions(options);
  if (options.source !== undefined && !["functions", "sql"].includes(options.source)) {
    throw usage("--source is functions or sql.");
  }
  const { ref, api } = await session.project();
  const limit = Number(options.limit ?? 100);
  const parts = await Promise.all([
    options.source === "sql" ? [] : ofFunctions(api, ref, options),
    options.source === "functions" ? [] : ofSql(api, ref, options, limit),
  ]);
  const all = parts.flat().sort((one, other) => (one.time < other.time ? -1 : 1)).slice(-limit);
  session.console.result(
    all,
    () => all.map((line) => `${line.time} ${line.source.padEnd(20)} ${line.message}`).join("\n"),
  );
}

interface ProjectLine {
  time: string;
  source: string;
  message: string;
  request_id?: string | undefined;
}

async function ofFunctions(api: ManagementApi, ref: string, options: LogOptions): Promise<ProjectLine[]> {
  const names = (await api.json<{ name: string }[]>(Session.path(ref, "/functions"))).map(({ name }) => name);
  const lines: ProjectLine[] = [];
  for (const name of names) {
    const path = Session.path(ref, `/functions/${encodeURIComponent(name)}/logs`);
    for (const line of await api.json<Line[]>(path, { query: { since: options.since, limit: options.limit } })) {
      const message = `${line.level} ${line.event} ${line.message}`;
      lines.push({ time: line.time, source: `function ${name}`, message, request_id: line.request_id });
    }
  }
  return lines;
}

async function ofSql(api: ManagementApi, ref: string, options: LogOptions, limit: number): Promise<ProjectLine[]> {
  const query = { since: options.since, limit: String(Math.min(limit, 100)) };
  const { calls } = await api.json<{ calls: SqlCall[] }>(Session.path(ref, "/audit"), { query });
  return calls.map(({ started_at, result, code, statement_kinds, request_id, duration_ms }) => ({
    time: started_at,
    source: "sql",
    message: [result, code, statement_kinds?.join(","), duration_ms === undefined ? undefined : `${duration_ms} ms`]
      .filter((part) => part !== undefined && part !== null && part !== "").join(" "),
    request_id,
  }));
}

function checkOptions({ since, limit }: LogOptions): void {
  if (since !== undefined && Number.isNaN(Date.parse(since))) {
    throw usage(`--since ${since} is no time.`, "such as 2030-01-31T12:00:00Z");
  }
  if (limit !== undefined && !(Number.isInteger(Number(limit)) && Number(limit) >= 1 && Number(limit) <= 1000)) {
    throw usage("--limit is 1 to 1000.");
  }
}
