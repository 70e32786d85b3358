/**
 * Why a function cannot be bundled. Places are lines and columns from 1 on, in files as the user named them; what is
 * wrong inside a package names the package.
 */
export type FaultKind =
  /** The text is no TypeScript, or a module lacks what is imported from it. */
  | "syntax"
  /** What is imported may not be: a scheme, a host, a file outside the function. */
  | "import_forbidden"
  /** What is imported does not exist. */
  | "import_failed"
  /** A registry did not answer; the same function may be bundled later. */
  | "unreachable"
  /** More modules or bytes than a function may have. */
  | "too_large"
  /** An import map or deno.json that cannot be used. */
  | "import_map";

export interface Place {
  file: string;
  line?: number;
  column?: number;
}

/** One reason, which the user reads unchanged. */
export class Fault extends Error {
  /** @param status of the answer that a registry gave, if it is for that */
  constructor(readonly kind: FaultKind, message: string, readonly place?: Place, readonly status?: number) {
    super(message);
  }
}
