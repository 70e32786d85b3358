/**
 * Where the places of a bundle come from: the source map (ECMA-426) that the bundler made with it. Errors and log lines
 * name places of the bundle; a reader needs those of the user's files.
 */

export interface Origins {
  mappings: string;
  sources: string[];
}

const PLACE = /(?:file:\/\/\/)?\bbundle\.js:([0-9]{1,9}):([0-9]{1,9})/g;
const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const CONTINUES = 32;
const BITS = 5;
const FIELDS = 5;

/** Column in the bundle; then source, line and column of the origin. All from 0 on; a fifth field, a name, is unused. */
type State = [number, number, number, number, number];

export class Places {
  #mappings: string;
  #sources: string[];
  /** Where each line of the bundle begins in the mappings, and the state there; made when it is first needed. */
  #lines: { at: number; state: State }[] | undefined;

  constructor(origins: Origins) {
    this.#mappings = origins.mappings;
    this.#sources = origins.sources;
  }

  /** A text with the places of the bundle replaced by those of the user's files, where these are known. */
  translate(text: string): string {
    if (this.#sources.length === 0 || !text.includes("bundle.js:")) return text;
    return text.replace(PLACE, (whole, line, column) => this.#origin(Number(line) - 1, Number(column) - 1) ?? whole);
  }

  #origin(line: number, column: number): string | undefined {
    const start = this.#index()[line];
    if (start === undefined) return undefined;
    const state: State = [...start.state];
    let found: string | undefined;
    for (let at = start.at; at < this.#mappings.length && this.#mappings[at] !== ";";) {
      const fields = { count: 0 };
      at = this.#segment(at, state, fields);
      if (state[0] > column) break;
      const source = this.#sources[state[1]];
      if (fields.count > 1 && source !== undefined) found = `${source}:${state[2] + 1}:${state[3] + 1}`;
    }
    return found;
  }

  #index(): { at: number; state: State }[] {
    if (this.#lines !== undefined) return this.#lines;
    const state: State = [0, 0, 0, 0, 0];
    const lines = [{ at: 0, state: [...state] as State }];
    for (let at = 0; at < this.#mappings.length;) {
      if (this.#mappings[at] !== ";") {
        at = this.#segment(at, state, { count: 0 });
        continue;
      }
      at++;
      state[0] = 0;
      lines.push({ at, state: [...state] as State });
    }
    return this.#lines = lines;
  }

  /** Adds a segment's differences to the state; returns where the next one begins, or the line's end. */
  #segment(at: number, state: State, fields: { count: number }): number {
    let value = 0;
    let shift = 0;
    for (; at < this.#mappings.length; at++) {
      const letter = this.#mappings[at];
      if (letter === ";") return at;
      if (letter === ",") return at + 1;
      const digit = DIGITS.indexOf(letter);
      value |= (digit & (CONTINUES - 1)) << shift;
      shift += BITS;
      if ((digit & CONTINUES) !== 0) continue;
      if (fields.count < FIELDS) state[fields.count++] += (value & 1) === 0 ? value >> 1 : -(value >> 1);
      value = 0;
      shift = 0;
    }
    return at;
  }
}
