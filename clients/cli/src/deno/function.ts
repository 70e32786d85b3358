// Runs one function for `svc functions serve`: finds its handler as the platform's runtime does, and serves it on a free port,
// which the first line of standard output says.
type Handler = (request: Request, info: unknown) => Response | Promise<Response>;

const original = Deno.serve.bind(Deno);
let handler: Handler | undefined;

// deno-lint-ignore no-explicit-any
const register = (...given: any[]): unknown => {
  handler ??= given.find((one) => typeof one === "function") ?? given.find((one) => one?.handler)?.handler;
  return { finished: new Promise(() => {}), shutdown: () => Promise.resolve(), ref() {}, unref() {}, addr: {} };
};
Object.defineProperty(Deno, "serve", { value: register });

const loaded = (await import(Deno.args[0])).default;
handler ??= typeof loaded === "function" ? loaded : loaded?.fetch?.bind(loaded);
if (handler === undefined) {
  console.error("there is no handler: export a default function, or call Deno.serve");
  Deno.exit(1);
}
original({ hostname: "127.0.0.1", port: 0, onListen: ({ port }) => console.log(JSON.stringify({ port })) }, handler);
