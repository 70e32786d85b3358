/** The runtime's own answers: errors in the form of SPEC 7, and preflights (SPEC 4.10). All carry CORS headers. */

/** Why a request has no answer of the function; the codes are documented in docs/functions.md. */
export type FailureCode =
  | "function_load_failed"
  | "function_threw"
  | "function_timeout"
  | "function_blocked"
  | "function_invalid_response"
  | "function_response_too_large"
  | "function_exited"
  | "function_stopping";

export class Failure extends Error {
  constructor(readonly code: FailureCode, message: string) {
    super(message);
  }
}

const CORS = { "access-control-allow-origin": "*", "access-control-expose-headers": "*" };
const METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";

export function errorResponse(failure: Failure, requestId: string): Response {
  if (failure.code === "function_response_too_large") return tooLarge(failure, requestId);
  return Response.json(
    { error: failure.code, message: failure.message, request_id: requestId },
    { status: 500, headers: { ...CORS, "x-request-id": requestId } },
  );
}

/** As the gateway says it, which has the same limit. */
function tooLarge(failure: Failure, requestId: string): Response {
  const code = "RESPONSE_TOO_LARGE";
  const hint = "Return a smaller response, or raise spec.functions.responseSizeLimitMB of the Project.";
  return Response.json(
    { error: failure.code, code, message: failure.message, hint, request_id: requestId },
    { status: 502, headers: { ...CORS, "x-request-id": requestId, "x-relay-error": "true", "sb-error-code": code } },
  );
}

/** Whether a browser asks for leave; any other OPTIONS belongs to the function. */
export function isPreflight(request: Request): boolean {
  return request.method === "OPTIONS" &&
    (request.headers.has("access-control-request-method") || request.headers.has("access-control-request-headers"));
}

/** Grants what was asked for: the headers are echoed as they were named. */
export function preflightResponse(request: Request): Response {
  const headers = new Headers({
    "access-control-allow-origin": "*",
    "access-control-allow-methods": METHODS,
    "access-control-max-age": "86400",
    "vary": "Access-Control-Request-Headers, Access-Control-Request-Method",
  });
  const asked = request.headers.get("access-control-request-headers");
  if (asked !== null) headers.set("access-control-allow-headers", asked);
  const method = request.headers.get("access-control-request-method");
  if (method !== null && !METHODS.includes(method)) {
    headers.set("access-control-allow-methods", `${METHODS}, ${method}`);
  }
  return new Response(null, { status: 204, headers });
}
