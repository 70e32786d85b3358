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

interface LogOptions {
  since?: string;
  limit?: string;
  follow?: boolean;
}

/** The longest time without a line or an empty line, which the platform sends every ten seconds. */
const SILENCE = 30_000;
const REMEMBERED = 5000;

/** The services of the project's log, and the sources of their lines. */
const SERVICES: Readonly<Record<string, string>> = {
  api: "edge",
  auth: "auth",
  storage: "storage",
  realtime: "realtime",
  functions: "function_edge,function",
  postgres: "postgres",
};

/** What happened in a project. */
export const logs: Commands = (program, run) => {
  program
    .command("logs")
    .description("the newest lines of the project's log: requests, errors of the database, functions")
    .option("--service <service>", `one of ${Object.keys(SERVICES).join(", ")}; all without it`)
    .option("--since <time>", "from this time on, such as 2030-01-31T12:00:00Z")
    .option("--limit <number>", "at most so many lines (100)")
    .option("-f, --follow", "also the lines that come, until interrupted")
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
    for await (const line of follow<Line>(api, path, { since, limit: options.limit })) {
      if (seen.has(line.id)) continue;
      seen.add(line.id);
      if (seen.size > REMEMBERED) seen.delete(seen.values().next().value!);
      since = line.time;
      session.console.line(line, () => text(line));
    }
    await sleep(500);
  }
}

/** The lines of one answer, until the platform ends it; only those after the last one where there was one. */
async function* follow<T>(
  api: ManagementApi,
  path: string,
  query: Record<string, string | undefined>,
  last?: string,
): AsyncGenerator<T> {
  const response = await api.send(path, {
    query: { ...query, follow: "true" },
    ...(last === undefined ? {} : { headers: { "last-event-id": last } }),
  });
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
      for (const line of lines) if (line.trim() !== "") yield JSON.parse(line) as T;
      if (done) return;
    }
  } catch (error) {
    if (error instanceof Failure) throw error;
    // A connection that broke off in the middle: the caller asks again from the last line on.
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** A line of the project's log. */
interface ProjectLine {
  id: string;
  timestamp: string;
  source: string;
  severity: string;
  message: string;
  request_id?: string;
  duration_ms?: number;
  attributes?: Record<string, string>;
}

const projectText = (line: ProjectLine): string =>
  [
    line.timestamp,
    line.severity.padEnd(5),
    line.source.replace(/_logs$/, "").padEnd(13),
    line.message,
    line.duration_ms === undefined ? "" : `${line.duration_ms} ms`,
    line.attributes?.["error"] ?? line.attributes?.["sqlstate"] ?? "",
  ].filter((part) => part !== "").join(" ");

async function projectLogs(session: Session, options: LogOptions & { service?: string }): Promise<void> {
  checkOptions(options);
  const source = options.service === undefined ? undefined : SERVICES[options.service];
  if (options.service !== undefined && source === undefined) {
    throw usage(`--service is one of ${Object.keys(SERVICES).join(", ")}.`);
  }
  const { ref, api } = await session.project();
  const query = { since: options.since, limit: options.limit, source };
  const path = Session.path(ref, "/logs");
  if (!options.follow) {
    const lines = await api.json<ProjectLine[]>(path, { query });
    session.console.result(lines, () => lines.map(projectText).join("\n"));
    return;
  }
  let last: string | undefined;
  for (;;) {
    for await (const line of follow<ProjectLine>(api, path, query, last)) {
      last = line.id;
      session.console.line(line, () => projectText(line));
    }
    await sleep(500);
  }
}

function checkOptions({ since, limit }: LogOptions): void {
  if (since !== undefined && Number.isNaN(Date.parse(since))) {
    throw usage(`--since ${since} is no time.`, "such as 2030-01-31T12:00:00Z");
  }
  if (limit !== undefined && !(Number.isInteger(Number(limit)) && Number(limit) >= 1 && Number(limit) <= 1000)) {
    throw usage("--limit is 1 to 1000.");
  }
}
