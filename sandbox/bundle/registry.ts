/**
 * Reads from the hosts that functions may import from, and from no other: each hop of a redirect is checked. The
 * process itself may reach these hosts only, and no private address (its permissions); this says so in words, and
 * bounds what is read.
 */
import { instead } from "./alternatives.ts";
import { Fault } from "./fault.ts";

export interface Policy {
  /** Origins that modules may be imported from. */
  origins: string[];
  /** Address of the npm registry, and of JSR. */
  npm: string;
  jsr: string;
}

export interface Response {
  /** Where it was found in the end. */
  url: string;
  type: string;
  body: Uint8Array;
}

const REDIRECTS = 8;
const ATTEMPTS = 2;
const MILLISECONDS = 10_000;
const BODY_BYTES = 64 << 20;
const JOB_BYTES = 128 << 20;
const JOB_REQUESTS = 3_000;

/** At a time: the time limit of a request must not run while it waits for the others of its job. */
const PARALLEL = 32;

/** What one function's bundling reads. */
export class Registry {
  readonly #origins: Set<string>;
  #bytes = 0;
  #requests = 0;
  #free = PARALLEL;
  #waiting: (() => void)[] = [];

  constructor(readonly policy: Policy) {
    this.#origins = new Set([...policy.origins, new URL(policy.npm).origin, new URL(policy.jsr).origin]);
  }

  /** @throws Fault when the URL's host is not one of the registries */
  admit(url: URL): void {
    if (url.protocol === "http:" && this.#origins.has("https://" + url.host)) {
      throw new Fault("import_forbidden", `${url.href} is not encrypted: import it with https.`);
    }
    if (!this.#origins.has(url.origin) || url.username !== "" || url.password !== "") {
      const hosts = [...this.#origins].map((origin) => origin.replace(/^https:\/\//, "")).sort().join(", ");
      throw new Fault("import_forbidden", `Modules are not imported from ${url.host}.${instead(url)} Registries: ${hosts}.`);
    }
  }

  async read(address: string, accept = "*/*"): Promise<Response> {
    let url = new URL(address);
    for (let hop = 0; hop <= REDIRECTS; hop++) {
      url.hash = "";
      this.admit(url);
      const answer = await this.#ask(url, accept);
      if (typeof answer !== "string") return answer;
      const next = new URL(answer, url);
      try {
        this.admit(next);
      } catch (fault) {
        throw new Fault("import_forbidden", `${url.href} redirects elsewhere. ${(fault as Fault).message}`);
      }
      url = next;
    }
    throw new Fault("import_failed", `${address} redirects more than ${REDIRECTS} times.`);
  }

  async json<T>(address: string, accept = "application/json"): Promise<T> {
    const { body } = await this.read(address, accept);
    try {
      return JSON.parse(new TextDecoder().decode(body));
    } catch {
      throw new Fault("unreachable", `${address} did not answer with JSON.`);
    }
  }

  async #ask(url: URL, accept: string): Promise<Response | string> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#inTurn(() => this.#askOnce(url, accept));
      } catch (error) {
        if (!(error instanceof Fault) || error.kind !== "unreachable" || attempt === ATTEMPTS) throw error;
      }
    }
  }

  async #inTurn<T>(task: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next !== undefined) next();
      else this.#free++;
    }
  }

  async #askOnce(url: URL, accept: string): Promise<Response | string> {
    if (++this.#requests > JOB_REQUESTS) throw new Fault("too_large", `The imports ask registries more than ${JOB_REQUESTS} times.`);
    let answer;
    try {
      answer = await fetch(url, { redirect: "manual", headers: { accept }, signal: AbortSignal.timeout(MILLISECONDS) });
    } catch (error) {
      if (isRefused(error)) {
        throw new Fault("import_forbidden", `${url.host} is at an address that functions are not imported from.`);
      }
      throw new Fault("unreachable", `${url.host} cannot be reached now.${instead(url)}`);
    }
    if (answer.status >= 300 && answer.status < 400 && answer.headers.has("location")) {
      await answer.body?.cancel();
      return answer.headers.get("location")!;
    }
    if (!answer.ok) {
      await answer.body?.cancel();
      if (answer.status >= 500 || answer.status === 429) throw new Fault("unreachable", `${url.host} answered ${answer.status}.${instead(url)}`);
      throw new Fault("import_failed", `${url.href} does not exist: it is answered with ${answer.status}.`, undefined, answer.status);
    }
    return { url: url.href, type: (answer.headers.get("content-type") ?? "").split(";")[0].trim().toLowerCase(), body: await this.#body(answer, url) };
  }

  async #body(answer: globalThis.Response, url: URL): Promise<Uint8Array> {
    const parts: Uint8Array[] = [];
    let length = 0;
    try {
      for await (const part of answer.body ?? []) {
        length += part.length;
        this.#bytes += part.length;
        if (length > BODY_BYTES || this.#bytes > JOB_BYTES) {
          throw new Fault("too_large", `${url.href} is too large, or the imports are together: ${JOB_BYTES >> 20} MB are read at most.`);
        }
        parts.push(part);
      }
    } catch (error) {
      if (error instanceof Fault) throw error;
      throw new Fault("unreachable", `${url.host} broke off.`);
    }
    return joined(parts, length);
  }
}

/** Whether the runtime did not allow the address. Behind a name it learns it late, and says so in the cause only. */
function isRefused(error: unknown): boolean {
  if (error instanceof Deno.errors.NotCapable) return true;
  return error instanceof Error && String(error.cause).includes("Requires net access");
}

function joined(parts: Uint8Array[], length: number): Uint8Array {
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
