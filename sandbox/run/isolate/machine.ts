/**
 * What a function is told about its machine: the same for all, and nothing about the real one. Packages ask for such things
 * while they load, and would fail on the refusal.
 */
// @ts-types="./node_os.d.ts"
import os from "node:os";
// @ts-types="./node_process.d.ts"
import process from "node:process";

const NAME = "function";
const RELEASE = "6.0.0";
const USER = 65_532;
const UMASK = 0o22;
const MEMORY = 256 << 20;
const FOLDER = "/";

const CPU = Object.freeze({ model: "", speed: 0, times: { user: 0, nice: 0, sys: 0, idle: 0, irq: 0 } });

const free = () => Math.max(0, MEMORY - process.memoryUsage().rss);

const OF_NODE: Record<string, unknown> = {
  hostname: () => NAME,
  cpus: () => [{ ...CPU, times: { ...CPU.times } }],
  availableParallelism: () => 1,
  release: () => RELEASE,
  version: () => "",
  totalmem: () => MEMORY,
  freemem: free,
  loadavg: () => [0, 0, 0],
  uptime: () => process.uptime(),
  homedir: () => FOLDER,
  userInfo: () => ({ username: NAME, uid: USER, gid: USER, shell: null, homedir: FOLDER }),
  networkInterfaces: () => ({}),
  getPriority: () => 0,
};

const OF_PROCESS: Record<string, unknown> = {
  getuid: () => USER,
  geteuid: () => USER,
  getgid: () => USER,
  getegid: () => USER,
  umask: () => UMASK,
};

const OF_DENO: Record<string, unknown> = {
  hostname: () => NAME,
  osRelease: () => RELEASE,
  osUptime: () => Math.floor(process.uptime()),
  loadavg: () => [0, 0, 0],
  systemMemoryInfo: () => {
    const available = free();
    return { total: MEMORY, free: available, available, buffers: 0, cached: 0, swapTotal: 0, swapFree: 0 };
  },
  networkInterfaces: () => [],
  uid: () => USER,
  gid: () => USER,
};

/** Puts the answers in the place of Deno's, which need a permission. */
export function conceal(): void {
  for (const [target, answers] of [[os, OF_NODE], [process, OF_PROCESS], [Deno, OF_DENO]] as const) {
    for (const [name, value] of Object.entries(answers)) {
      Object.defineProperty(target, name, { value, configurable: true, enumerable: true, writable: true });
    }
  }
}

/** The named exports of node:os, which are Deno's own whatever its default export holds. */
export function concealed(exports: Record<string, unknown>): Record<string, unknown> {
  return exports.default === os ? { ...exports, ...OF_NODE } : exports;
}
