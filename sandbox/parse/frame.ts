/**
 * Messages over a pipe, all numbers big endian.
 *
 * Request: length of what follows (4 bytes), request number (4), questions with one NUL between them. A question is an
 *          operation (1 byte, not 0) and a text in UTF-8. A request without questions is not answered: its sender has
 *          read what it wanted to, and the next request is about another text.
 * Answer:  length of what follows (4 bytes), request number (4), JSON in UTF-8.
 */

/** Longest content of a request, in bytes. The parent has the same number; more means that the pipe is out of step. */
export const MAX_CONTENT_BYTES = 2 << 20;

const HEAD_BYTES = 4;

export interface Question {
  operation: number;
  text: Uint8Array;
}

export interface Request {
  number: number;
  /** None: what was read so far is to be forgotten. */
  questions: Question[];
}

export class MalformedFrame extends Error {}

/** Fills the whole array; false at the end of the input, which is only orderly before its first byte. */
function readFully(target: Uint8Array): boolean {
  let filled = 0;
  while (filled < target.length) {
    const count = Deno.stdin.readSync(target.subarray(filled));
    if (count === null) {
      if (filled > 0) throw new MalformedFrame("the input ends inside a frame");
      return false;
    }
    filled += count;
  }
  return true;
}

/** The next request; null at the end of the input. */
export function readRequest(): Request | null {
  const prefix = new Uint8Array(4);
  if (!readFully(prefix)) return null;
  const length = new DataView(prefix.buffer).getUint32(0);
  if (length < HEAD_BYTES || length > HEAD_BYTES + MAX_CONTENT_BYTES) {
    throw new MalformedFrame(`a frame of ${length} bytes`);
  }
  const body = new Uint8Array(length);
  if (!readFully(body)) throw new MalformedFrame("the input ends inside a frame");
  return {
    number: new DataView(body.buffer).getUint32(0),
    questions: length === HEAD_BYTES ? [] : split(body.subarray(HEAD_BYTES)),
  };
}

function split(content: Uint8Array): Question[] {
  const questions: Question[] = [];
  let start = 0;
  for (let end = content.indexOf(0); end >= 0; end = content.indexOf(0, start)) {
    questions.push(question(content.subarray(start, end)));
    start = end + 1;
  }
  questions.push(question(content.subarray(start)));
  return questions;
}

function question(part: Uint8Array): Question {
  if (part.length === 0) throw new MalformedFrame("a question without an operation");
  return { operation: part[0], text: part.subarray(1) };
}

/** The parts are JSON in UTF-8 and are sent one after the other as one text. */
export function writeAnswer(number: number, parts: Uint8Array[]): void {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const frame = new Uint8Array(8 + length);
  const view = new DataView(frame.buffer);
  view.setUint32(0, 4 + length);
  view.setUint32(4, number);
  let offset = 8;
  for (const part of parts) {
    frame.set(part, offset);
    offset += part.length;
  }
  let written = 0;
  while (written < frame.length) written += Deno.stdout.writeSync(frame.subarray(written));
}
