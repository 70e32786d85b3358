/** The WebSocket of the environment: browsers, Deno, Bun and workers have one. */
export const webSocket = (): typeof WebSocket | undefined => globalThis.WebSocket;
