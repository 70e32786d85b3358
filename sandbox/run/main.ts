/**
 * Runs one function: this thread owns the socket, the limits and the log; the function's code runs in a thread of its
 * own with fewer permissions (isolate/main.ts). With `--dry-boot` it only loads the function: code 0 when there is a
 * handler, else code 1 and one JSON line on standard output that says why there is none.
 *
 * Ends with code 0 after SIGTERM, 1 when the function cannot be had, 2 for a wrong setting.
 */
import { loadBundle } from "./archive.ts";
import { dryBoot } from "./dry_boot.ts";
import { Log } from "./logs.ts";
import { serve } from "./server.ts";
import { InvalidSetting, readSettings, Settings, takeEnvironment } from "./settings.ts";
import { Supervisor } from "./supervisor.ts";
import { Upstream } from "./upstream.ts";
import { Timer } from "./timer.ts";

/** How long the last log lines may take to be posted. */
const LAST_LINES_MS = 2_000;

async function run(settings: Settings): Promise<number> {
  const upstream = new Upstream(settings.token, settings.gateway);
  const log = new Log(settings.logKey, settings.logs, upstream);
  globalThis.addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    log.error("error", `the runtime failed: ${event.reason?.stack ?? event.reason}`);
  });
  const asked = new Promise<void>((resolve) => Deno.addSignalListener("SIGTERM", resolve));
  // All at once: the thread starts while the code is fetched, and the server while the code is loaded.
  const code = loadBundle(settings.bundle, upstream);
  const supervisor = new Supervisor(code, settings, log);
  const server = serve(settings, supervisor, log);
  await supervisor.loaded;
  try {
    await code;
  } catch {
    await log.drain(LAST_LINES_MS);
    return 1;
  }
  log.info("boot", "ready");
  await asked;
  log.info("shutdown", "stopping: no new requests");
  await withLimit(server.shutdown(), settings.drainMs);
  await supervisor.drain(settings.drainMs);
  log.info("shutdown", "stopped");
  await log.drain(LAST_LINES_MS);
  return 0;
}

async function withLimit(work: Promise<void>, limitMs: number): Promise<void> {
  let timer: Timer | undefined;
  await Promise.race([work, new Promise<void>((resolve) => timer = setTimeout(resolve, limitMs))]);
  clearTimeout(timer);
}

async function main(): Promise<number> {
  try {
    const given = takeEnvironment();
    if (Deno.args.includes("--dry-boot")) return await dryBoot(readSettings(given, { listen: false }));
    return await run(readSettings(given, { listen: true }));
  } catch (error) {
    if (!(error instanceof InvalidSetting)) throw error;
    console.error(`run: ${error.message}`);
    return 2;
  }
}

Deno.exit(await main());
