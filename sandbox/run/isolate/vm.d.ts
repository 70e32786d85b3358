/** The part of node:vm that is used here; Deno's own copy of Node's types has to be downloaded. */
type Exports = Record<string, unknown>;

export class Module {
  readonly namespace: Exports;
  link(linker: (specifier: string) => Promise<Module>): Promise<void>;
  evaluate(): Promise<void>;
}

export class SourceTextModule extends Module {
  constructor(text: string, options: {
    identifier: string;
    initializeImportMeta(meta: Record<string, unknown>): void;
    importModuleDynamically(specifier: string, from: Module, attributes: Record<string, string>): Promise<Exports>;
  });
}

export class SyntheticModule extends Module {
  constructor(names: string[], evaluate: (this: SyntheticModule) => void);
  setExport(name: string, value: unknown): void;
}
