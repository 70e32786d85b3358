import { createInterface } from "node:readline/promises";
import type { Readable, Writable } from "node:stream";
import { ExitCode, Failure, printable, withoutSecrets } from "./failure.js";

export type Environment = Readonly<Record<string, string | undefined>>;

/** The channels of one run of the program. Tests bring their own. */
export interface Streams {
  stdin: Readable & { isTTY?: boolean; setRawMode?: (raw: boolean) => unknown };
  stdout: Writable;
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
    this.#out(this.json ? JSON.stringify(value, null, 2) : printable(text()));
  }

  /** One line of a stream of results, such as a log. */
  line(value: unknown, text: () => string): void {
    this.#out(this.json ? JSON.stringify(value) : printable(text()));
  }

  /** Text that is the result itself, unchanged: types, dumps, completion scripts. */
  raw(text: string): void {
    this.#out(text);
  }

  progress(text: string): void {
    if (!this.quiet) this.note(text);
  }

  /** A warning; also with `--quiet`. */
  note(text: string): void {
    this.streams.stderr.write(`${withoutSecrets(printable(text))}\n`);
  }

  failure(failure: Failure): void {
    const { code, next, requestId, lines } = failure.details;
    if (this.json) {
      const error = { code, message: failure.message, next, request_id: requestId, lines, exit_code: failure.exitCode };
      this.streams.stderr.write(`${withoutSecrets(JSON.stringify({ error }))}\n`);
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
    this.streams.stderr.write(question);
    const { stdin } = this.streams;
    stdin.setRawMode?.(true);
    let text = "";
    try {
      for await (const part of stdin) {
        for (const character of String(part)) {
          if (character === "\r" || character === "\n" || character === "\u0004") return text;
          if (character === "\u0003") throw new Failure(ExitCode.INTERRUPTED, "Interrupted.");
          text = character === "\u007f" ? text.slice(0, -1) : text + character;
        }
      }
      return text;
    } finally {
      stdin.setRawMode?.(false);
      this.streams.stderr.write("\n");
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
    const lines = createInterface({ input: this.streams.stdin, output: this.streams.stderr });
    const answer = await lines.question(`${printable(what)}. Type ${word} to continue: `);
    lines.close();
    if (answer.trim() !== word) {
      throw new Failure(ExitCode.NOT_CONFIRMED, "Not confirmed; nothing was changed.", { code: "not_confirmed" });
    }
  }

  #out(text: string): void {
    this.streams.stdout.write(text.endsWith("\n") ? text : `${text}\n`);
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

function cell(value: unknown): string {
  if (value === null) return "NULL";
  if (value === undefined) return "";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return text.replaceAll("\n", "\\n").replaceAll("\t", "\\t");
}
