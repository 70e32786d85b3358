/** The main thread's own way to the data plane: with the runtime's token, and through the gateway's socket if there is one. */
export class Upstream {
  #token: string;
  #gateway: string;
  #client: Deno.HttpClient | undefined;

  constructor(token: string, gateway: string) {
    this.#token = token;
    this.#gateway = gateway;
  }

  fetch(address: string, init: RequestInit): Promise<Response> {
    return fetch(address, {
      ...init,
      redirect: "error",
      headers: this.#token === "" ? {} : { authorization: `Bearer ${this.#token}` },
      signal: init.signal ?? AbortSignal.timeout(10_000),
      ...(this.#gateway === "" ? {} : { client: this.#throughGateway() }),
    });
  }

  /** Made when it is first needed: it takes time that a start has no use for. */
  #throughGateway(): Deno.HttpClient {
    return this.#client ??= Deno.createHttpClient({ proxy: { transport: "unix", path: this.#gateway } });
  }
}
