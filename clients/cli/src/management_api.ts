import { setTimeout as sleep } from "node:timers/promises";
import { ExitCode, Failure } from "./failure.js";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface Call {
  method?: Method;
  query?: Record<string, string | undefined>;
  body?: unknown;
  headers?: Record<string, string>;
  /** Milliseconds until the answer has begun. */
  timeout?: number;
  /** It changes nothing though it is no GET, and is repeated as one. */
  repeatable?: boolean;
}

export interface ApiSettings {
  /** Ends in `/v1`. */
  url: string;
  token: string;
  timeout: number;
  /** Receives a line for each attempt and each pause. */
  trace: (line: string) => void;
  /** The pause before the first repetition, in milliseconds. */
  firstPause?: number;
}

/** An answer of the platform other than 2xx. */
export class Problem extends Failure {
  constructor(readonly status: number, readonly body: Record<string, unknown>, where: string) {
    const text = (name: string) => (typeof body[name] === "string" ? (body[name] as string) : undefined);
    const code = text("code");
    super(exitCodeOf(status, code), text("message") ?? text("detail") ?? `${where} answered ${status}.`, {
      code,
      requestId: text("request_id"),
      next: nextOf(status, code, text("hint")),
      lines: linesOf(body),
    });
    this.name = "Problem";
  }
}

const ATTEMPTS = 3;
const MAX_PAUSE = 30_000;
const PASSING = new Set([429, 502, 503, 504]);

/**
 * The Management API. Only reading is repeated, after network errors and 429, 502, 503, 504. An answer that is not the platform's,
 * such as a page of a proxy, is an error that says so.
 */
export class ManagementApi {
  constructor(private readonly settings: ApiSettings) {}

  get url(): string {
    return this.settings.url;
  }

  async json<T>(path: string, call: Call = {}): Promise<T> {
    return (await this.answer<T>(path, call)).body;
  }

  async answer<T>(path: string, call: Call = {}): Promise<{ body: T; headers: Headers }> {
    const response = await this.send(path, call);
    const text = await this.#text(response, path);
    if (text.trim() === "") return { body: undefined as T, headers: response.headers };
    try {
      return { body: JSON.parse(text) as T, headers: response.headers };
    } catch {
      throw this.#foreign(response, text);
    }
  }

  /** The response with its body unread, for streams; errors are thrown. */
  async send(path: string, call: Call = {}): Promise<Response> {
    const attempts = (call.method ?? "GET") === "GET" || call.repeatable ? ATTEMPTS : 1;
    for (let attempt = 1;; attempt++) {
      const last = attempt === attempts;
      let response: Response;
      try {
        response = await this.#attempt(path, call);
      } catch (error) {
        if (last || !(error instanceof Failure) || error.exitCode !== ExitCode.UNREACHABLE) throw error;
        await this.#pause(attempt, undefined, error.message);
        continue;
      }
      if (response.ok) return response;
      if (!last && PASSING.has(response.status)) {
        await response.body?.cancel();
        await this.#pause(attempt, response.headers.get("retry-after"), `status ${response.status}`);
        continue;
      }
      throw await this.#problem(response, path);
    }
  }

  async #attempt(path: string, call: Call): Promise<Response> {
    const { url, token, timeout: usual, trace } = this.settings;
    const address = new URL(url + path);
    for (const [name, value] of Object.entries(call.query ?? {})) {
      if (value !== undefined) address.searchParams.set(name, value);
    }
    const method = call.method ?? "GET";
    const timeout = call.timeout ?? usual;
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), timeout);
    const began = performance.now();
    try {
      const response = await fetch(address, {
        method,
        redirect: "manual",
        signal: controller.signal,
        headers: {
          accept: "application/json",
          authorization: `Bearer ${token}`,
          "user-agent": "svc-cli",
          ...(call.body === undefined ? {} : { "content-type": "application/json" }),
          ...call.headers,
        },
        ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      });
      trace(
        `${method} ${address.pathname}${address.search} ${response.status} ${Math.round(performance.now() - began)} ms`,
      );
      return response;
    } catch (error) {
      if (controller.signal.aborted) {
        throw new Failure(ExitCode.UNREACHABLE, `${url} did not answer within ${timeout / 1000} s.`, {
          code: "timeout",
          next: method === "GET"
            ? "try again, or with a longer --timeout"
            : "find out whether it was carried out before you repeat it, or give a longer --timeout",
        });
      }
      throw unreachable(url, error);
    } finally {
      clearTimeout(timer);
    }
  }

  async #pause(attempt: number, retryAfter: string | null | undefined, why: string): Promise<void> {
    const seconds = Number(retryAfter);
    const asked = retryAfter && Number.isFinite(seconds) ? seconds * 1000 : undefined;
    const pause = Math.min(asked ?? (this.settings.firstPause ?? 500) * 2 ** (attempt - 1), MAX_PAUSE);
    this.settings.trace(`${why}; again in ${pause} ms`);
    await sleep(pause);
  }

  async #problem(response: Response, path: string): Promise<Failure> {
    const text = await this.#text(response, path);
    if (response.status >= 300 && response.status < 400) {
      return new Failure(ExitCode.UNREACHABLE, `${this.url} redirects to ${response.headers.get("location")}.`, {
        code: "redirected",
        next: "give the address of the control plane itself with --api-url",
      });
    }
    try {
      const body: unknown = JSON.parse(text);
      if (typeof body === "object" && body !== null && ("message" in body || "code" in body)) {
        return new Problem(response.status, body as Record<string, unknown>, this.url);
      }
    } catch {
      // Not of the platform.
    }
    return this.#foreign(response, text);
  }

  async #text(response: Response, path: string): Promise<string> {
    try {
      return await response.text();
    } catch (error) {
      throw new Failure(ExitCode.UNREACHABLE, `The answer to ${path} broke off: ${reason(error)}.`, {
        code: "incomplete_answer",
        next: "try again",
      });
    }
  }

  #foreign(response: Response, text: string): Failure {
    const type = response.headers.get("content-type")?.split(";")[0] ?? "no content type";
    const start = text.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ").trim().slice(0, 120);
    const said = start === "" ? "" : `: ${start}`;
    return new Failure(
      ExitCode.UNREACHABLE,
      `${this.url} answered ${response.status} with ${type}, which is not the platform's${said}`,
      { code: "foreign_answer", next: "check --api-url, and whether a proxy or a sign-in page is in between" },
    );
  }
}

function unreachable(url: string, error: unknown): Failure {
  const why = reason(error);
  const host = new URL(url).host;
  const said: Record<string, string> = {
    ENOTFOUND: `The name ${host} cannot be resolved`,
    EAI_AGAIN: `The name ${host} cannot be resolved; there may be no network`,
    ECONNREFUSED: `Nothing listens at ${host}`,
    ECONNRESET: `${host} closed the connection`,
    UND_ERR_SOCKET: `${host} closed the connection`,
    ENETUNREACH: `There is no network to ${host}`,
    EHOSTUNREACH: `There is no network to ${host}`,
  };
  const certificate = /CERT|SELF_SIGNED|ALTNAME|TLS/.test(why);
  return new Failure(
    ExitCode.UNREACHABLE,
    certificate
      ? `The certificate of ${host} is not trusted (${why}).`
      : `${said[why] ?? `${host} cannot be reached`} (${why}).`,
    {
      code: "unreachable",
      next: certificate
        ? "add its authority with NODE_EXTRA_CA_CERTS=<file>"
        : "check the network and the address (--api-url, SVC_API_URL, svc login)",
    },
  );
}

function reason(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const code = (cause as { code?: unknown }).code;
  return typeof code === "string" ? code : cause instanceof Error ? cause.message : String(cause);
}

function exitCodeOf(status: number, code: string | undefined): ExitCode {
  if (status === 401 || status === 403) return ExitCode.UNAUTHORIZED;
  if (code === "project_not_found") return ExitCode.NO_PROJECT;
  return ExitCode.REFUSED;
}

function nextOf(status: number, code: string | undefined, hint: string | undefined): string | undefined {
  if (status === 401) return "svc login";
  if (code === "project_not_found") return "svc projects list, then svc link <ref>";
  return hint;
}

interface Fault {
  message?: string;
  file?: string;
  line?: number;
  column?: number;
}

/** Where the platform says what is wrong: the place in the SQL, the faults of a function's code, the fields of a body. */
function linesOf(body: Record<string, unknown>): string[] {
  const lines: string[] = [];
  const place = (at: Fault) => [at.file, at.line, at.column].filter((part) => part !== undefined).join(":");
  const faults = Array.isArray(body["faults"]) ? (body["faults"] as Fault[]) : [];
  for (const fault of faults) lines.push(`${place(fault)} ${fault.message ?? ""}`.trim());
  if (faults.length === 0 && body["line"] !== undefined) lines.push(`at ${place(body as Fault)}`);
  for (const name of ["sqlstate", "sql_detail", "where", "what"]) {
    if (typeof body[name] === "string") lines.push(`${name.replace("sql_", "")}: ${body[name]}`);
  }
  const errors = Array.isArray(body["errors"]) ? (body["errors"] as { pointer?: string; message?: string }[]) : [];
  for (const error of errors) lines.push(`${error.pointer ?? ""}: ${error.message ?? ""}`);
  return lines;
}
