import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { ExitCode, Failure, printable, withoutSecrets } from "./failure.js";

export type Environment = Readonly<Record<string, string | undefined>>;

/** The channels of one run of the program. Tests bring their own. */
export interface Streams {
  stdin: Readable & { isTTY?: boolean; setRawMode?: (raw: boolean) => unknown };
  stdout: Writable & { isTTY?: boolean; columns?: number };
  stderr: Writable & { isTTY?: boolean };
}

const MAX_INPUT = 16 * 1024 * 1024;

/**
 * What a command prints and asks. Results go to standard output, as text or with `--json` as JSON; progress, questions
 * and errors go to standard error.
 */
export class Console {
  json = false;
  quiet = false;

  constructor(private readonly streams: Streams) {}

  /** One result: JSON for programs, the text for people. */
  result(value: unknown, text: () => string): void {
    this.#out(this.json ? jsonOf(value, 2) : printable(text()));
  }

  /** One line of a stream of results, such as a log. */
  line(value: unknown, text: () => string): void {
    this.#out(this.json ? jsonOf(value) : printable(text()));
  }

  /**
   * Text that is the result itself: types, dumps, completion scripts. Files and programs get it unchanged; with `--json` it
   * is the only member of an object.
   */
  raw(name: string, text: string): void {
    if (this.json) return this.#out(jsonOf({ [name]: text }, 2));
    this.#out(this.streams.stdout.isTTY === true ? printable(text) : text);
  }

  /** A part of such a text, written when its reader has taken what came before, so that a long one is never in memory whole. */
  async part(text: string): Promise<void> {
    const { stdout } = this.streams;
    if (!stdout.write(`${stdout.isTTY === true ? printable(text) : text}\n`)) await once(stdout, "drain");
  }

  /** What takes a while, for a person who waits: programs and logs of CI jobs get results, warnings and errors alone. */
  progress(text: string): void {
    if (!this.quiet && !this.json && this.streams.stderr.isTTY === true) this.note(text);
  }

  /** Rows as a table; where the terminal is narrower, each row as lines of its own. */
  rows(rows: readonly Record<string, unknown>[]): string {
    const text = table(rows);
    const { isTTY, columns = 0 } = this.streams.stdout;
    const fits = isTTY !== true || columns === 0 || text.split("\n").every((line) => line.length <= columns);
    return fits ? text : records(rows);
  }

  /** A warning; also with `--quiet`. */
  note(text: string): void {
    this.streams.stderr.write(`${withoutSecrets(printable(text))}\n`);
  }

  failure(failure: Failure): void {
    const { code, next, requestId, lines } = failure.details;
    if (this.json) {
      const error = { code, message: failure.message, next, request_id: requestId, lines, exit_code: failure.exitCode };
      this.streams.stderr.write(`${withoutSecrets(jsonOf({ error }))}\n`);
      return;
    }
    this.note(`svc: ${failure.message}`);
    for (const line of lines ?? []) this.note(`  ${line}`);
    if (next !== undefined) this.note(`  next: ${next}`);
    if (requestId !== undefined) this.note(`  request id: ${requestId}`);
  }

  /** All of standard input, for values that must not be arguments. */
  async input(): Promise<string> {
    const parts: Buffer[] = [];
    let size = 0;
    for await (const part of this.streams.stdin) {
      const bytes = Buffer.from(part as Uint8Array);
      size += bytes.length;
      if (size > MAX_INPUT) throw new Failure(ExitCode.USAGE, "Standard input is longer than 16 MB.");
      parts.push(bytes);
    }
    return Buffer.concat(parts).toString("utf8");
  }

  get interactive(): boolean {
    return this.streams.stdin.isTTY === true && this.streams.stderr.isTTY === true;
  }

  /** A value that is not shown while it is typed; without a terminal, standard input. */
  async secret(question: string): Promise<string> {
    if (!this.interactive) return (await this.input()).replace(/\r?\n$/, "");
    const { stdin, stderr } = this.streams;
    // Before the question: what is typed early is not shown either.
    stdin.setRawMode?.(true);
    stderr.write(question);
    const typed = new TypedSecret();
    try {
      return await new Promise<string>((entered, failed) => {
        stdin.on("data", (part) => {
          try {
            if (typed.add(String(part))) entered(typed.text);
          } catch (error) {
            failed(error as Error);
          }
        });
        stdin.once("end", () => entered(typed.text));
      });
    } finally {
      stdin.removeAllListeners("data").pause();
      stdin.setRawMode?.(false);
      stderr.write("\n");
    }
  }

  /** Asks to type the word before something is lost. `yes` is the option `--yes`. */
  async confirm(what: string, word: string, yes: boolean): Promise<void> {
    if (yes) return;
    if (!this.interactive) {
      throw new Failure(ExitCode.NOT_CONFIRMED, `${what} needs a confirmation, and there is no terminal to ask.`, {
        next: "add --yes",
        code: "not_confirmed",
      });
    }
    this.streams.stderr.write(`${printable(what)}. Type ${word} to continue: `);
    const line = await this.#typedLine();
    if (line === undefined) this.streams.stderr.write("\n");
    if (line?.trim() !== word) {
      throw new Failure(ExitCode.NOT_CONFIRMED, "Not confirmed; nothing was changed.", { code: "not_confirmed" });
    }
  }

  /** A line that the terminal itself lets edit: it is in the state that the shell left, so that Ctrl-C interrupts. */
  #typedLine(): Promise<string | undefined> {
    const lines = createInterface({ input: this.streams.stdin, terminal: false });
    return new Promise((typed) => {
      lines.once("line", (line) => {
        typed(line);
        lines.close();
      });
      // Ctrl-D, after which the cursor is still behind the question; without an effect after a line.
      lines.once("close", () => typed(undefined));
    });
  }

  #out(text: string): void {
    this.streams.stdout.write(text.endsWith("\n") ? text : `${text}\n`);
  }
}

const escaped = (control: string): string => `\\u00${control.charCodeAt(0).toString(16)}`;

/** The value as JSON, which by itself escapes only some of the characters that steer a terminal. */
const jsonOf = (value: unknown, indent?: number): string =>
  JSON.stringify(value ?? null, null, indent).replace(/[\u007f-\u009f]/g, escaped);

/** A number with its noun: 1 file, 2 files. */
export const counted = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`;

/** What is typed of a secret, key by key, as the terminal sends it while it edits no lines itself. */
class TypedSecret {
  text = "";

  /** Within what arrows and other keys send: ESC, [ and a letter after digits. */
  #escaped = false;

  /** Takes what was typed; whether it is complete. */
  add(part: string): boolean {
    for (const key of part) {
      if (key === "\r" || key === "\n" || key === "\u0004") return true;
      if (key === "\u0003") throw new Failure(ExitCode.INTERRUPTED, "Interrupted.");
      if (key === "\u001b") this.#escaped = true;
      else if (this.#escaped) this.#escaped = !/[A-NP-Za-z~]/.test(key);
      else if (key === "\u007f" || key === "\b") this.text = Array.from(this.text).slice(0, -1).join("");
      else if (key === "\u0015") this.text = "";
      else if (key >= " ") this.text += key;
    }
    return false;
  }
}

/** Rows as a table of text: the columns are those of the first row, or the given ones. */
export function table(rows: readonly Record<string, unknown>[], columns = Object.keys(rows[0] ?? {})): string {
  if (rows.length === 0) return "(none)";
  const cells = rows.map((row) => columns.map((column) => cell(row[column])));
  const widths = columns.map((name, at) => Math.max(name.length, ...cells.map((row) => row[at]!.length)));
  const line = (texts: readonly string[]) => texts.map((text, at) => text.padEnd(widths[at]!)).join("  ").trimEnd();
  return [line(columns), line(widths.map((width) => "-".repeat(width))), ...cells.map(line)].join("\n");
}

/** Each row as one line for each of its values. */
function records(rows: readonly Record<string, unknown>[]): string {
  const names = Object.keys(rows[0] ?? {});
  const width = Math.max(...names.map((name) => name.length));
  const record = (row: Record<string, unknown>) => names.map((name) => `${name.padEnd(width)}  ${cell(row[name])}`);
  return rows.map((row) => record(row).join("\n")).join("\n\n");
}

function cell(value: unknown): string {
  if (value === null) return "NULL";
  if (value === undefined) return "";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return text.replaceAll("\n", "\\n").replaceAll("\t", "\\t");
}
