import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import http from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import type { TestContext } from "node:test";
import { runProgram } from "../src/program.js";

export const TOKEN = "svc_pat_0123456789abcdefghijklmnopqrstuvwxyz";
export const REF = "abcd1234";

export interface Outcome {
  code: number;
  out: string;
  err: string;
}

/** A folder that goes with the test. */
export async function folder(test: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "svc-cli-"));
  test.after(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** Runs the program as a shell would, with these variables and no others; results go to a terminal only if it says so. */
export async function svc(
  args: string[],
  { environment = {}, directory = tmpdir(), stdin = "", terminal = false }: {
    environment?: Record<string, string>;
    directory?: string;
    stdin?: string;
    terminal?: boolean;
  } = {},
): Promise<Outcome> {
  const texts = { out: "", err: "" };
  const sink = (name: "out" | "err"): Writable =>
    new Writable({
      write(part, _encoding, done) {
        texts[name] += part;
        done();
      },
    });
  const stdout = Object.assign(sink("out"), { isTTY: terminal });
  const streams = { stdin: Readable.from([Buffer.from(stdin)]), stdout, stderr: sink("err") };
  const code = await runProgram({ args, environment, directory, streams });
  return { code, ...texts };
}

export interface Received {
  method: string;
  url: string;
  headers: http.IncomingHttpHeaders;
  body: string;
}

type Answer = (received: Received, response: http.ServerResponse) => void;

/** A server in the place of a control plane, for what a real one never answers. */
export async function server(
  test: TestContext,
  answer: Answer,
): Promise<{ url: string; received: Received[]; environment: Record<string, string> }> {
  const received: Received[] = [];
  const listening = http.createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    const { method = "", url = "", headers } = request;
    received.push({ method, url, headers, body });
    answer(received.at(-1)!, response);
  });
  listening.listen(0, "127.0.0.1");
  await once(listening, "listening");
  test.after(() => {
    listening.closeAllConnections();
    listening.close();
  });
  const url = `http://127.0.0.1:${(listening.address() as { port: number }).port}/v1`;
  return { url, received, environment: { SVC_API_URL: url, SVC_ACCESS_TOKEN: TOKEN, SVC_PROJECT_REF: REF } };
}

export const json = (body: unknown, status = 200): Answer => (_, response) =>
  void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));

/** A problem of the platform. */
export const problem = (status: number, code: string, message: string, more: object = {}): Answer =>
  json({ status, code, message, request_id: "request1", ...more }, status);
