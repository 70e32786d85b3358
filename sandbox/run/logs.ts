/**
 * The log of one process: one JSON object a line, on standard output and, in batches, at the platform's log intake.
 *
 * The function's thread shares this process's standard output and can write to it what it likes. Nothing there may
 * therefore be taken for a line of ours unless it carries the key that only the main thread and its parent know; the
 * intake is safe by its token. What a function logs through the console is always an event "log".
 */
import { Upstream } from "./upstream.ts";
import { Timer } from "./timer.ts";

export type Level = "info" | "warn" | "error";
export type Event = "log" | "boot" | "request" | "error" | "shutdown";

export interface Line {
  time: string;
  level: Level;
  request_id?: string;
  event: Event;
  message: string;
}

const MAX_MESSAGE = 16_384;
const MAX_QUEUE_LENGTH = 2_000;
const MAX_QUEUE_BYTES = 4 << 20;
const MAX_BATCH_BYTES = 256 << 10;
const OUTPUT_PAUSE_MS = 5;
const POST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5_000;

const encoder = new TextEncoder();

export class Log {
  #key: string;
  #intake: string;
  #upstream: Upstream;
  #output: string[] = [];
  #outputTimer: Timer | undefined;
  #queue: string[] = [];
  #queueBytes = 0;
  #lost = 0;
  #postTimer: Timer | undefined;
  #posting: Promise<void> = Promise.resolve();
  #pause = POST_PAUSE_MS;

  constructor(key: string, intake: string, upstream: Upstream) {
    this.#key = key;
    this.#intake = intake;
    this.#upstream = upstream;
  }

  info(event: Event, message: string, requestId?: string): void {
    this.write("info", event, message, requestId);
  }

  error(event: Event, message: string, requestId?: string): void {
    this.write("error", event, message, requestId);
  }

  write(level: Level, event: Event, message: string, requestId?: string): void {
    const line: Line = {
      time: new Date().toISOString(),
      level,
      ...(requestId === undefined ? {} : { request_id: requestId }),
      event,
      message: message.length > MAX_MESSAGE ? message.slice(0, MAX_MESSAGE) + " … (cut)" : message,
    };
    const text = JSON.stringify(line);
    this.#output.push(text);
    if (event === "boot" || event === "shutdown") this.#flushOutput();
    else this.#outputTimer ??= setTimeout(() => this.#flushOutput(), OUTPUT_PAUSE_MS);
    if (this.#intake !== "") this.#enqueue(text);
  }

  /** Writes out what is held back, and posts what is queued, for at most `limitMs`. */
  async drain(limitMs: number): Promise<void> {
    this.#flushOutput();
    const until = performance.now() + limitMs;
    let timer: Timer | undefined;
    const limit = new Promise<void>((resolve) => timer = setTimeout(resolve, limitMs));
    while (this.#queue.length > 0 && performance.now() < until) {
      clearTimeout(this.#postTimer);
      await Promise.race([this.#post(), limit]);
    }
    clearTimeout(timer);
  }

  #flushOutput(): void {
    clearTimeout(this.#outputTimer);
    this.#outputTimer = undefined;
    // The function may have left half a line behind: with a key, ours begin on a line of their own.
    const start = this.#key === "" ? "" : "\n" + this.#key;
    const lines = this.#output.splice(0);
    if (lines.length === 0) return;
    const bytes = encoder.encode(lines.map((line) => start + line + "\n").join(""));
    try {
      for (let written = 0; written < bytes.length;) written += Deno.stdout.writeSync(bytes.subarray(written));
    } catch {
      // No reader is left: the parent is gone, and will end this process when it is back.
    }
  }

  #enqueue(text: string): void {
    if (this.#queue.length >= MAX_QUEUE_LENGTH || this.#queueBytes > MAX_QUEUE_BYTES) {
      this.#lost++;
      return;
    }
    this.#queue.push(text);
    this.#queueBytes += text.length;
    this.#postTimer ??= setTimeout(() => void this.#post(), this.#pause);
  }

  #post(): Promise<void> {
    return this.#posting = this.#posting.then(() => this.#postBatch());
  }

  async #postBatch(): Promise<void> {
    this.#postTimer = undefined;
    let count = 0;
    for (let bytes = 0; count < this.#queue.length && bytes < MAX_BATCH_BYTES; count++) {
      bytes += this.#queue[count].length;
    }
    if (count === 0) return;
    const batch = this.#queue.slice(0, count);
    if (this.#lost > 0) batch.push(this.#lossNotice());
    if (await this.#accepted(batch.join("\n") + "\n")) {
      for (const line of this.#queue.splice(0, count)) this.#queueBytes -= line.length;
      this.#pause = POST_PAUSE_MS;
    } else {
      this.#pause = Math.min(this.#pause * 2, MAX_PAUSE_MS);
    }
    if (this.#queue.length > 0) this.#postTimer ??= setTimeout(() => void this.#post(), this.#pause);
  }

  #lossNotice(): string {
    const message = `${this.#lost} log lines were dropped: more than the log takes`;
    this.#lost = 0;
    return JSON.stringify({ time: new Date().toISOString(), level: "warn", event: "error", message });
  }

  async #accepted(body: string): Promise<boolean> {
    try {
      const answer = await this.#upstream.fetch(this.#intake, { method: "POST", body });
      await answer.body?.cancel();
      // What the intake refuses will not become better by sending it again.
      return answer.ok || (answer.status >= 400 && answer.status < 500 && answer.status !== 429);
    } catch {
      return false;
    }
  }
}
