/** The main thread's own way to the data plane: with the runtime's token, and through the gateway's socket if there is one. */
export class Upstream {
  #token: string;
  #client: Deno.HttpClient | undefined;

  constructor(token: string, gateway: string) {
    this.#token = token;
    if (gateway !== "") this.#client = Deno.createHttpClient({ proxy: { transport: "unix", path: gateway } });
  }

  fetch(address: string, init: RequestInit): Promise<Response> {
    return fetch(address, {
      ...init,
      redirect: "error",
      headers: this.#token === "" ? {} : { authorization: `Bearer ${this.#token}` },
      signal: init.signal ?? AbortSignal.timeout(10_000),
      ...(this.#client === undefined ? {} : { client: this.#client }),
    });
  }
}
