/**
 * What a function sees of its machine: the same for all, and nothing about the real one. Packages ask for such things
 * while they load, and would fail on the refusal.
 *
 * Nothing of Node is imported here: loading it takes longer than all else of a start, and most functions need none of it.
 */

type Members = Record<string, unknown>;
const NAME = "function";
const RELEASE = "6.0.0";
const USER = 65_532;
const UMASK = 0o22;
const MEMORY = 256 << 20;
const FOLDER = "/";

const CPU = Object.freeze({ model: "", speed: 0, times: { user: 0, nice: 0, sys: 0, idle: 0, irq: 0 } });

const free = () => Math.max(0, MEMORY - Deno.memoryUsage().rss);
const uptime = () => performance.now() / 1_000;

const OF_OS: Members = {
  hostname: () => NAME,
  cpus: () => [{ ...CPU, times: { ...CPU.times } }],
  availableParallelism: () => 1,
  release: () => RELEASE,
  version: () => "",
  totalmem: () => MEMORY,
  freemem: free,
  loadavg: () => [0, 0, 0],
  uptime,
  homedir: () => FOLDER,
  userInfo: () => ({ username: NAME, uid: USER, gid: USER, shell: null, homedir: FOLDER }),
  networkInterfaces: () => ({}),
  getPriority: () => 0,
};

const OF_PROCESS: Members = {
  getuid: () => USER,
  geteuid: () => USER,
  getgid: () => USER,
  getegid: () => USER,
  umask: () => UMASK,
};

const OF_DENO: Members = {
  hostname: () => NAME,
  osRelease: () => RELEASE,
  osUptime: () => Math.floor(uptime()),
  loadavg: () => [0, 0, 0],
  systemMemoryInfo: () => {
    const available = free();
    return { total: MEMORY, free: available, available, buffers: 0, cached: 0, swapTotal: 0, swapFree: 0 };
  },
  networkInterfaces: () => [],
  uid: () => USER,
  gid: () => USER,
};

const OF_MODULES: Record<string, Members> = { os: OF_OS, process: OF_PROCESS };

/** Puts the answers in the place of Deno's, which need a permission. */
export function conceal(): void {
  replace(Deno, OF_DENO);
  const { get } = Object.getOwnPropertyDescriptor(globalThis, "process") ?? {};
  if (get === undefined) return;
  // Deno loads it when it is first asked for.
  const load = () => {
    const process = get.call(globalThis) as Members;
    replace(process, OF_PROCESS);
    return process;
  };
  let loaded: Members | undefined;
  Object.defineProperty(globalThis, "process", {
    get: () => loaded ??= load(),
    set: (value: Members) => loaded = value,
    configurable: true,
    enumerable: false,
  });
}

/** The exports of a built-in module, with the answers in the place of its own. */
export function concealed(name: string, exports: Members): Members {
  const answers = OF_MODULES[name];
  if (answers === undefined) return exports;
  replace(exports.default as object, answers);
  return { ...exports, ...answers };
}

function replace(target: object, members: Members): void {
  for (const [name, value] of Object.entries(members)) {
    Object.defineProperty(target, name, { value, configurable: true, enumerable: true, writable: true });
  }
}
