import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import http from "node:http";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseEnv, promisify } from "node:util";
import { ExitCode, Failure, printable, usage } from "../failure.js";
import { readFunction } from "../project/function_source.js";
import { dataUrl } from "../project/storage_place.js";
import type { Workspace } from "../project/workspace.js";
import { Session } from "../session.js";

const RUNNER = fileURLToPath(new URL("../deno/function.ts", import.meta.url));
const START_LIMIT = 60_000;

interface Running {
  /** What its files were when it started. */
  sources: string;
  port: number;
  process: ChildProcess;
}

/**
 * Runs the functions of a folder in one process of Deno each, started at the first call and again when a file has changed.
 */
class LocalFunctions {
  readonly #running = new Map<string, Promise<Running>>();
  readonly #processes = new Set<ChildProcess>();

  constructor(
    private readonly session: Session,
    private readonly workspace: Workspace,
    private readonly environment: Record<string, string>,
  ) {}

  /** The port of the function's process. */
  async port(name: string): Promise<number> {
    const settings = await this.workspace.functionSettings(name);
    const { deployment } = await readFunction(this.workspace, name, settings);
    const sources = JSON.stringify(deployment);
    const running = await this.#running.get(name)?.catch(() => undefined);
    if (running !== undefined && running.sources === sources && running.process.exitCode === null) return running.port;
    running?.process.kill();
    const next = this.#start(name, deployment.entrypoint, deployment.import_map, sources);
    this.#running.set(name, next);
    return (await next).port;
  }

  /** Ends all processes, also those that are starting. Synchronous: while this program exits, no promise settles any more. */
  stop(): void {
    for (const child of this.#processes) child.kill();
  }

  async #start(name: string, entrypoint: string, map: string | undefined, sources: string): Promise<Running> {
    const root = this.workspace.functions;
    const options = map === undefined
      ? []
      : [map.includes("import_map") ? "--import-map" : "--config", join(root, map)];
    const child = spawn(
      denoOf(this.session),
      // As deployed functions: the network and their variables, no files but the sources.
      [
        "run",
        "--quiet",
        "--no-prompt",
        "--no-lock",
        "--allow-net",
        "--allow-env",
        `--allow-read=${root}`,
        ...options,
        RUNNER,
        pathToFileURL(join(root, name, entrypoint)).href,
      ],
      { env: this.environment, stdio: ["ignore", "pipe", "pipe"] },
    );
    this.#processes.add(child);
    child.once("exit", () => this.#processes.delete(child));
    const { console } = this.session;
    createInterface({ input: child.stderr! }).on("line", (line) => console.note(`[${name}] ${line}`));
    const lines = createInterface({ input: child.stdout! });
    try {
      return await new Promise<Running>((started, failed) => {
        const timer = setTimeout(
          () => failed(new Failure(ExitCode.REFUSED, `${name} did not start within a minute.`)),
          START_LIMIT,
        );
        timer.unref();
        child.once("error", (error: NodeJS.ErrnoException) => failed(error.code === "ENOENT" ? noDeno() : error));
        child.once(
          "exit",
          () => failed(new Failure(ExitCode.REFUSED, `${name} did not start; the reason is in the terminal.`)),
        );
        lines.once("line", (line) => {
          clearTimeout(timer);
          lines.on("line", (text) => console.note(`[${name}] ${text}`));
          started({ sources, port: (JSON.parse(line) as { port: number }).port, process: child });
        });
      });
    } catch (error) {
      child.kill();
      throw error;
    }
  }
}

const noDeno = (): Failure =>
  new Failure(ExitCode.REFUSED, "Deno is not installed: it runs functions on this machine.", {
    code: "no_deno",
    next: "npm install --global deno, or set SVC_DENO to the program",
  });

const denoOf = (session: Session): string => session.environment["SVC_DENO"] ?? "deno";

/** @throws Failure if Deno cannot be started: known before a first call waits for it */
async function requireDeno(session: Session, environment: Record<string, string>): Promise<void> {
  try {
    await promisify(execFile)(denoOf(session), ["--version"], { env: environment, timeout: START_LIMIT });
  } catch (error) {
    if (["ENOENT", "EACCES"].includes(String((error as NodeJS.ErrnoException).code))) throw noDeno();
    throw new Failure(ExitCode.REFUSED, `Deno does not start: ${(error as Error).message}`, { code: "no_deno" });
  }
}

/** `svc functions serve`, until it is interrupted. */
export async function serveFunctions(session: Session, options: { port: string; envFile?: string }): Promise<void> {
  const port = Number(options.port);
  if (!Number.isInteger(port) || port < 0 || port > 65535) throw usage("--port is a number up to 65535.");
  const workspace = await session.workspace();
  const environment = await environmentOf(session, options.envFile);
  await requireDeno(session, environment);
  const functions = new LocalFunctions(session, workspace, environment);
  const server = http.createServer((request, response) => void answer(functions, workspace, request, response));
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as { port: number }).port}/functions/v1`;
  session.console.line({ url }, () => `${url}/<name> (callers are not checked here; Ctrl-C ends it)`);
  process.once("exit", () => functions.stop());
  await new Promise<void>((ended) => ["SIGINT", "SIGTERM"].forEach((signal) => process.once(signal, () => ended())));
  functions.stop();
  server.closeAllConnections();
  server.close();
}

/** The variables of a deployed function, with the project's keys, and those of the file. Nothing else of this process. */
async function environmentOf(session: Session, file: string | undefined): Promise<Record<string, string>> {
  const own: Record<string, string> = {};
  for (const name of ["PATH", "HOME", "DENO_DIR", "DENO_CERT", "NPM_CONFIG_REGISTRY", "HTTPS_PROXY", "NO_PROXY"]) {
    const value = session.environment[name];
    if (value !== undefined) own[name] = value;
  }
  const { ref, api } = await session.project();
  const project = await api.json<{ url: string; schema: string; anon_key: string }>(Session.path(ref));
  const keys = await api.json<{ type: string; api_key?: string }[]>(Session.path(ref, "/api-keys"), {
    query: { reveal: "true" },
  });
  const variables = {
    URL: dataUrl(project.url, api.url, ref),
    ANON_KEY: project.anon_key,
    SERVICE_ROLE_KEY: keys.find(({ type }) => type === "secret")?.api_key ?? "",
    DB_SCHEMA: project.schema,
    PROJECT_REF: ref,
  };
  for (const [name, value] of Object.entries(variables)) own[`SVC_${name}`] = own[`SUPABASE_${name}`] = value;
  // As @supabase/server looks for them.
  own["SUPABASE_PUBLISHABLE_KEYS"] = JSON.stringify({ default: variables.ANON_KEY });
  own["SUPABASE_SECRET_KEYS"] = JSON.stringify({ default: variables.SERVICE_ROLE_KEY });
  own["SUPABASE_JWKS_URL"] = `${variables.URL}/auth/v1/.well-known/jwks.json`;
  return { ...own, ...(file === undefined ? {} : (parseEnv(await readFile(file, "utf8")) as Record<string, string>)) };
}

async function answer(
  functions: LocalFunctions,
  workspace: Workspace,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): Promise<void> {
  const [, name, rest = ""] = /^\/functions\/v1\/([A-Za-z][A-Za-z0-9_-]*)([/?].*)?$/.exec(request.url ?? "") ?? [];
  response.setHeader("access-control-allow-origin", "*");
  const asked = request.headers["access-control-request-headers"];
  if (request.method === "OPTIONS" && (asked ?? request.headers["access-control-request-method"]) !== undefined) {
    response.setHeader("access-control-allow-headers", asked ?? "*");
    response.setHeader("access-control-allow-methods", "GET, POST, PUT, PATCH, DELETE, HEAD");
    return void response.writeHead(204).end();
  }
  const fail = (status: number, code: string, message: string): void => {
    if (response.headersSent) return void response.destroy();
    response.writeHead(status, { "content-type": "application/json" }).end(
      JSON.stringify({ code, message: printable(message) }),
    );
  };
  try {
    if (name === undefined || !(await workspace.functionNames()).includes(name)) {
      return fail(404, "NOT_FOUND", "There is no function of that name.");
    }
    const { headers } = request;
    const inner = http.request(
      { host: "127.0.0.1", port: await functions.port(name), method: request.method, path: `/${name}${rest}`, headers },
      (given) => {
        response.writeHead(given.statusCode ?? 502, given.headers);
        given.pipe(response);
      },
    );
    inner.on("error", () => fail(502, "WORKER_ERROR", "The function ended before it answered."));
    response.on("close", () => inner.destroy());
    request.pipe(inner);
  } catch (error) {
    fail(503, "BOOT_ERROR", (error as Error).message);
  }
}
