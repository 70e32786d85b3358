// deno-lint-ignore-file no-explicit-any
import load, { binary } from "../build/postgres-parser.js";
import { pack } from "./tokens.ts";

/** Most memory that one parse may use. 256 KB of SQL need about 20 MB; what needs more is no migration. */
const MAX_MEMORY_BYTES = 192 * 1024 * 1024;
const PAGE_BYTES = 65536;

const compiled = new WebAssembly.Module(Uint8Array.fromBase64(binary));

// A parser that asks for more gets "out of memory", which PostgreSQL's code answers with an error.
const grow = WebAssembly.Memory.prototype.grow;
WebAssembly.Memory.prototype.grow = function (this: WebAssembly.Memory, pages: number): number {
  if (this.buffer.byteLength + pages * PAGE_BYTES > MAX_MEMORY_BYTES) throw new RangeError("memory cap");
  return grow.call(this, pages);
};

/** PostgreSQL read the text and refuses it. */
export interface SyntaxFault {
  message: string;
  /** 1-based, in characters (code points); 0 when PostgreSQL names none. */
  position: number;
}

export type Outcome =
  | { kind: "result"; json: Uint8Array }
  | { kind: "fault"; fault: SyntaxFault };

/**
 * A parser that has never seen another text. One is made for every script, and after every text that exhausts the stack or
 * the memory: nothing of one tenant's text outlives it, and none can leave a damaged heap to the next.
 */
export async function freshParser(): Promise<Parser> {
  const module = await load({
    print: () => {},
    printErr: () => {},
    instantiateWasm: (imports: any, receive: (instance: WebAssembly.Instance) => void) => {
      receive(new WebAssembly.Instance(compiled, imports));
      return {};
    },
  });
  return new Parser(module);
}

/** The first byte of an answer in JSON; anything else is a message. */
const OPEN = 0x7b;

function message(text: Uint8Array): Outcome {
  return { kind: "fault", fault: { message: new TextDecoder().decode(text), position: 0 } };
}

function string(value: string): Outcome {
  return { kind: "result", json: new TextEncoder().encode(JSON.stringify(value)) };
}

export class Parser {
  readonly #module: any;

  constructor(module: any) {
    this.#module = module;
  }

  /** The tree of every statement, as libpg_query writes it: {"version":…,"stmts":[…]}. */
  parse(text: Uint8Array): Outcome {
    const result = this.#module._wasm_parse_query_raw(this.#enter(text));
    const error = this.#word(result + 8);
    if (error !== 0) {
      return {
        kind: "fault",
        fault: { message: this.#string(this.#word(error)), position: this.#word(error + 16) },
      };
    }
    return { kind: "result", json: this.#bytes(this.#word(result)) };
  }

  /** The tokens of PostgreSQL's lexer: a JSON string in the form of tokens.ts. */
  scan(text: Uint8Array): Outcome {
    // An empty text is a missing one to libpg_query.
    if (text.length === 0) return string("");
    const json = this.#bytes(this.#module._wasm_scan(this.#enter(text)));
    return json[0] === OPEN ? string(pack(json)) : message(json);
  }

  /** The body of each PL/pgSQL function that the text creates. */
  parsePlpgsql(text: Uint8Array): Outcome {
    const json = this.#bytes(this.#module._wasm_parse_plpgsql(this.#enter(text)));
    return json[0] === OPEN ? { kind: "result", json } : message(json);
  }

  /** A hash of the trees without their constants, as a JSON string. */
  fingerprint(text: Uint8Array): Outcome {
    const answer = this.#string(this.#module._wasm_fingerprint(this.#enter(text)));
    return /^[0-9a-f]{16}$/.test(answer)
      ? string(answer)
      : { kind: "fault", fault: { message: answer, position: 0 } };
  }

  /** Memory is never given back: the whole parser is dropped after its script. */
  #enter(text: Uint8Array): number {
    const pointer = this.#module._malloc(text.length + 1);
    if (pointer === 0) throw new RangeError("memory cap");
    this.#module.HEAPU8.set(text, pointer);
    this.#module.HEAPU8[pointer + text.length] = 0;
    return pointer;
  }

  #word(pointer: number): number {
    return this.#module.HEAPU32[pointer >>> 2];
  }

  #bytes(pointer: number): Uint8Array {
    if (pointer === 0) throw new RangeError("no answer from the parser");
    const heap: Uint8Array = this.#module.HEAPU8;
    const end = heap.indexOf(0, pointer);
    return heap.subarray(pointer, end);
  }

  #string(pointer: number): string {
    return pointer === 0 ? "unreadable" : new TextDecoder().decode(this.#bytes(pointer));
  }
}
