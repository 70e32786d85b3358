/** The HTTP side: health, preflights, request ids, and everything else to the function. */
import { errorResponse, Failure, isPreflight, preflightResponse } from "./failure.ts";
import { Log } from "./logs.ts";
import { Settings } from "./settings.ts";
import { Supervisor } from "./supervisor.ts";

const REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;
const HEALTH = "/_runtime/health";

/** Listens; requests are taken from now on. */
export function serve(settings: Settings, supervisor: Supervisor, log: Log): Deno.HttpServer {
  const handler = (request: Request, info: Deno.ServeHandlerInfo) => answer(request, info.completed, supervisor, log);
  const options = { onListen: () => {}, onError: () => new Response(null, { status: 500 }) };
  return "path" in settings.listen
    ? Deno.serve({ ...options, path: settings.listen.path }, handler)
    : Deno.serve({ ...options, ...settings.listen }, handler);
}

async function answer(
  request: Request,
  completed: Promise<void>,
  supervisor: Supervisor,
  log: Log,
): Promise<Response> {
  const given = request.headers.get("x-request-id") ?? "";
  const requestId = REQUEST_ID.test(given) ? given : crypto.randomUUID();
  // Also where nothing listens to it: a promise that rejects unheard ends the process.
  completed.catch(() => {});
  try {
    const url = publicUrl(request);
    if (url.pathname === HEALTH) return await health(supervisor);
    if (isPreflight(request)) return preflightResponse(request);
    return await supervisor.handle(request, requestId, url.href, completed);
  } catch (error) {
    if (error instanceof Failure) return errorResponse(error, requestId);
    log.error("error", `the runtime failed: ${(error as Error).stack ?? error}`, requestId);
    return errorResponse(new Failure("function_exited", "the runtime failed; its log says why"), requestId);
  }
}

async function health(supervisor: Supervisor): Promise<Response> {
  const loaded = await supervisor.loaded;
  return Response.json(loaded.ok ? { status: "ok" } : { status: "failed", message: loaded.message });
}

/** The address as the client wrote it, if the gateway tells; the socket knows only the path. */
function publicUrl(request: Request): URL {
  const raw = new URL(request.url);
  const host = request.headers.get("x-forwarded-host") ?? request.headers.get("host") ?? "localhost";
  const scheme = request.headers.get("x-forwarded-proto") === "https" ? "https" : "http";
  try {
    return new URL(`${scheme}://${host}${raw.pathname}${raw.search}`);
  } catch {
    return new URL(`http://localhost${raw.pathname}${raw.search}`);
  }
}
