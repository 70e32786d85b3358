/**
 * Reads SQL with PostgreSQL's own grammar, for a parent that must never be brought down by a text. Runs with no
 * permission; speaks the frames of frame.ts over stdin and stdout, one request after the other. Ends when its input
 * ends, or with code 2 when the input is not made of frames.
 *
 * The answer to a request is an array with one element per question: {"result": …} | {"fault": {message, position}} |
 * {"refused": reason}. The first answer, number 0, is sent unasked and says that the process is ready.
 */
import { MalformedFrame, Question, readRequest, Request, writeAnswer } from "./frame.ts";
import { freshParser, Outcome, Parser } from "./postgres.ts";

type Operation = (parser: Parser, text: Uint8Array) => Outcome;

const OPERATIONS: Record<number, Operation> = {
  1: (parser, text) => parser.parse(text),
  2: (parser, text) => parser.scan(text),
  3: (parser, text) => parser.parsePlpgsql(text),
  4: (parser, text) => parser.fingerprint(text),
};

const encoder = new TextEncoder();
const utf8 = (text: string) => encoder.encode(text);

/** What a text did to the parser that is no syntax error: it ran out of stack or of memory. Any text may do that. */
function refusal(error: unknown): string {
  const text = String(error);
  return /stack|unreachable|out of bounds|RangeError/.test(text) ? "nested too deeply or too large" : text;
}

function operationOf(question: Question): Operation {
  const operation = OPERATIONS[question.operation];
  if (operation === undefined) throw new MalformedFrame(`operation ${question.operation}`);
  return operation;
}

function element(parser: Parser, operation: Operation, text: Uint8Array): Uint8Array[] {
  const outcome = operation(parser, text);
  if (outcome.kind === "fault") return [utf8(JSON.stringify({ fault: outcome.fault }))];
  // Copied, because the next text of the request may move the parser's memory.
  return [utf8('{"result":'), outcome.json.slice(), utf8("}")];
}

/**
 * Reads the texts of one sender until it says that it has no more. Made before it is needed, before the first request: making it
 * takes longer than reading a short text.
 */
let parser = await freshParser();

async function answer(request: Request): Promise<void> {
  const operations = request.questions.map(operationOf);
  const parts = [utf8("[")];
  for (const [index, { text }] of request.questions.entries()) {
    if (index > 0) parts.push(utf8(","));
    try {
      parts.push(...element(parser, operations[index], text));
    } catch (error) {
      parts.push(utf8(JSON.stringify({ refused: refusal(error) })));
      parser = await freshParser();
    }
  }
  parts.push(utf8("]"));
  writeAnswer(request.number, parts);
}

try {
  writeAnswer(0, [utf8("[]")]);
  for (let request = readRequest(); request !== null; request = readRequest()) {
    if (request.questions.length > 0) await answer(request);
    else parser = await freshParser();
  }
} catch (error) {
  if (!(error instanceof MalformedFrame)) throw error;
  Deno.stderr.writeSync(utf8(`parse: ${error.message}\n`));
  Deno.exit(2);
}
