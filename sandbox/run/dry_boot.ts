/** Loads a function once and says whether it has a handler: for the deploy, before anything of it serves. */
import { loadBundle } from "./archive.ts";
import { Isolate } from "./isolate.ts";
import { Log } from "./logs.ts";
import { Settings } from "./settings.ts";
import { Upstream } from "./upstream.ts";

interface Problem {
  message: string;
  file?: string;
  line?: number;
  column?: number;
}

/** A log that writes nothing: what the function says while it loads is not the deploy's answer. */
class Silence extends Log {
  override write(): void {}
}

/** 0 when the function can be loaded, else 1 and a line on standard output. */
export async function dryBoot(settings: Settings): Promise<number> {
  const upstream = new Upstream(settings.token, settings.gateway);
  const code = loadBundle(settings.bundle, upstream);
  const isolate = new Isolate(code, settings.gateway, settings, new Silence("", "", upstream));
  const loaded = await isolate.loaded;
  if (loaded.ok) return 0;
  report({ message: loaded.message, ...position(loaded.stack) });
  return 1;
}

function report(problem: Problem): void {
  // On a line of its own, and the last one: the function may have written to this output itself.
  Deno.stdout.writeSync(new TextEncoder().encode("\n" + JSON.stringify(problem) + "\n"));
}

/** The first place in the bundle that a stack names. */
function position(stack: string): Partial<Problem> {
  const place = /bundle\.js:([0-9]+):([0-9]+)/.exec(stack);
  return place === null ? {} : { file: "bundle.js", line: Number(place[1]), column: Number(place[2]) };
}
