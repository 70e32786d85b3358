/**
 * The thread of the function. Everything here shares one world with code that we do not trust: it makes the function
 * work, and protects nothing (see surroundings.ts).
 */
import { FromFunction, Start, ToFunction } from "../protocol.ts";
import { folder, importBundle } from "./bundle.ts";
import { Calls, currentCall } from "./calls.ts";
import { defaultHandler, Handler, Registration } from "./handler.ts";
import { Outbox } from "./outbox.ts";
import { Background, furnish } from "./surroundings.ts";
import { giveTmp } from "./tmp/deno.ts";

const { inspect } = Deno;
const { setTimeout, Error } = globalThis;

/** The lower part of a stack, from the first frame on that is ours. */
const OUR_FRAMES = /\n\s+at [^\n]*\/run\/isolate\/[a-z_]+\.ts[^]*$/;

globalThis.addEventListener("message", (event) => {
  const { data, ports } = event as MessageEvent<Start>;
  void begin(data, ports[0]);
}, { once: true });

async function begin(start: Start, port: MessagePort): Promise<void> {
  const outbox = new Outbox(port);
  const registration = new Registration();
  const background = new Background();
  furnish(registration, background, outbox, start.gateway);
  giveTmp(folder);
  reportStrayErrors(outbox);
  let calls: Calls | undefined;
  port.onmessage = ({ data }) => take(data as ToFunction);

  function take(message: ToFunction): void {
    if (message.t === "ping") outbox.send({ t: "pong", n: message.n });
    else if (message.t === "drain") {
      globalThis.dispatchEvent(new Event("beforeunload"));
      background.whenIdle(() => outbox.send({ t: "drained" }));
    } else calls?.take(message);
  }

  try {
    calls = new Calls(await load(start.code, registration), outbox, describe);
    outbox.send({ t: "ready" });
  } catch (error) {
    outbox.send({ t: "loadFailed", ...describe(error) });
  }
}

/** Settles with the handler as soon as there is one: a function may serve and never come to the end of its top level. */
async function load(code: string, registration: Registration): Promise<Handler> {
  const imported = importBundle(code).then((exports) => defaultHandler(exports.default));
  const served = registration.registered.then(async (handler) => {
    // The rest of the top level, up to its first await, may still throw.
    await new Promise((resolve) => setTimeout(resolve, 0));
    return handler;
  });
  const handler = await Promise.race([served, imported]) ?? await Promise.race([served, aMoment()]);
  if (handler === undefined) {
    throw new Error("the function has no handler: export a default function (request) => Response, or call Deno.serve");
  }
  return handler;
}

/** For handlers that are registered right after the top level, as std's serve does. */
function aMoment(): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), 20));
}

function reportStrayErrors(outbox: Outbox): void {
  const report = (error: unknown) => {
    const line: FromFunction = {
      t: "log",
      level: "error",
      id: currentCall.getStore() ?? 0,
      message: `uncaught: ${describe(error).stack}`,
    };
    outbox.send(line);
  };
  globalThis.addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    report(event.reason);
  });
  globalThis.addEventListener("error", (event) => {
    event.preventDefault();
    report(event.error);
  });
}

/** An error as text; reading it must not fail, whatever the function threw. */
function describe(error: unknown): { message: string; stack: string } {
  const cut = (text: string) => text.replace(OUR_FRAMES, "").slice(0, 8_192);
  try {
    if (error instanceof Error) {
      return { message: cut(`${error.name}: ${error.message}`), stack: cut(String(error.stack ?? error)) };
    }
    const shown = inspect(error);
    return { message: cut(shown), stack: cut(shown) };
  } catch {
    return { message: "an error that cannot be shown", stack: "an error that cannot be shown" };
  }
}
