/** The part of node:async_hooks that is used here; Deno's own copy of Node's types has to be downloaded. */
export class AsyncLocalStorage<T> {
  getStore(): T | undefined;
  run<R>(store: T, work: () => R): R;
}
