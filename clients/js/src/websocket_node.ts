import { WebSocket as NodeWebSocket } from "ws";

/** The WebSocket of Node.js from version 22 on, else that of the package ws, without which supabase-js does not start. */
export const webSocket = (): typeof WebSocket | undefined =>
  globalThis.WebSocket ?? (NodeWebSocket as unknown as typeof WebSocket);
