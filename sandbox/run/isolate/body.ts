/** The body of an answer: read piece by piece, and measured first where all of it is there already. */

/** Turns of the microtask queue in which a body that lies in memory has been read. */
const TURNS = 16;

type Result = ReadableStreamReadResult<Uint8Array>;

export class AnswerBody {
  #reader: ReadableStreamDefaultReader<Uint8Array>;
  #ahead: Promise<Result>[] = [];

  constructor(body: ReadableStream<Uint8Array>) {
    this.#reader = body.getReader();
  }

  /** The length of a body that needs no waiting; undefined for one that is still being made. Rejects if it cannot be read. */
  async length(): Promise<number | undefined> {
    const first = await this.#soon();
    if (first === undefined) return undefined;
    if (first.done) return 0;
    const second = await this.#soon();
    return second?.done ? first.value?.byteLength : undefined;
  }

  /** What is next; what was read ahead comes first. */
  next(): Promise<Result> {
    const [ahead, ...others] = this.#ahead;
    if (ahead === undefined) return this.#reader.read();
    this.#ahead = others;
    return ahead;
  }

  cancel(reason: string): void {
    this.#reader.cancel(reason).catch(() => {});
  }

  async #soon(): Promise<Result | undefined> {
    const read = this.#reader.read();
    this.#ahead = [...this.#ahead, read];
    let result: Result | undefined;
    let failed: { error: unknown } | undefined;
    read.then((value) => result = value, (error) => failed = { error });
    for (let turn = 0; turn < TURNS && result === undefined && failed === undefined; turn++) await undefined;
    if (failed !== undefined) throw failed.error;
    return result;
  }
}
