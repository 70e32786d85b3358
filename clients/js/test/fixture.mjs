import http from "node:http";
import { once } from "node:events";
import { WebSocketServer } from "ws";

/** A server that keeps the head of every request and answers each with an empty list; sockets are accepted and kept too. */
export async function recordingServer() {
  const requests = [];
  const keep = (request) => requests.push({ method: request.method, url: request.url, headers: request.headers });
  const server = http.createServer((request, response) => {
    keep(request);
    response.setHeader("content-type", "application/json");
    response.end("[]");
  });
  const sockets = new WebSocketServer({ server });
  sockets.on("connection", (_socket, request) => keep(request));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    requests,
    url: `http://127.0.0.1:${server.address().port}`,
    /** Resolves with the next socket's request. */
    nextSocket: async () => (await once(sockets, "connection"))[1],
    close: async () => {
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
