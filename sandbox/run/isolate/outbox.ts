/**
 * What goes to the main thread. Messages are sent in batches: one that an answer fills within a few turns of the
 * microtask queue (head, body, end) costs one crossing of threads instead of three.
 */
import { FromFunction } from "../protocol.ts";

const TURNS = 24;

export class Outbox {
  #post: (batch: FromFunction[], transfer: Transferable[]) => void;
  #batch: FromFunction[] = [];
  #transfer: Transferable[] = [];
  #scheduled = false;

  constructor(port: MessagePort) {
    // Bound now: the function may replace what is on the prototype.
    this.#post = port.postMessage.bind(port);
  }

  send(message: FromFunction, transfer?: Transferable): void {
    this.#batch[this.#batch.length] = message;
    if (transfer !== undefined) this.#transfer[this.#transfer.length] = transfer;
    if (!this.#scheduled) void this.#soon();
  }

  /** Sends what there is, now. */
  flush(): void {
    this.#scheduled = false;
    if (this.#batch.length === 0) return;
    const batch = this.#batch;
    const transfer = this.#transfer;
    this.#batch = [];
    this.#transfer = [];
    this.#post(batch, transfer);
  }

  async #soon(): Promise<void> {
    this.#scheduled = true;
    for (let turn = 0; turn < TURNS; turn++) await undefined;
    this.flush();
  }
}
