/** Why a command ended, as its exit code. The table in docs/cli.md has the same numbers. */
export const ExitCode = {
  OK: 0,
  /** The platform refused the call, or the work itself failed. */
  REFUSED: 1,
  /** The command line is wrong. */
  USAGE: 2,
  /** There is no token, or it is wrong, expired, or lacks a permission. */
  UNAUTHORIZED: 3,
  /** No project is chosen, or it does not exist. */
  NO_PROJECT: 4,
  /** No answer, or one that is not the platform's. */
  UNREACHABLE: 5,
  /** A question was answered with no, or could not be asked. */
  NOT_CONFIRMED: 6,
  INTERRUPTED: 130,
} as const;

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

export interface FailureDetails {
  /** What to do next. */
  next?: string | undefined;
  /** The platform's code, or one of this program's. */
  code?: string | undefined;
  requestId?: string | undefined;
  /** Further lines for people, such as the faults of a function's code. */
  lines?: string[] | undefined;
}

/** An error with a message for the user and a next step; every other error is a defect of this program. */
export class Failure extends Error {
  constructor(readonly exitCode: ExitCode, message: string, readonly details: FailureDetails = {}) {
    super(message);
    this.name = "Failure";
  }
}

export const usage = (message: string, next?: string): Failure =>
  new Failure(ExitCode.USAGE, message, { next, code: "usage" });

const SECRET = /\bsvc_(pat|mcp|service)_[A-Za-z0-9_]+/g;

/** The text without tokens and service-role keys, which appear in no message. */
export const withoutSecrets = (text: string): string => text.replace(SECRET, "svc_$1_…");

const isControl = (code: number): boolean =>
  (code < 0x20 && code !== 0x0a && code !== 0x09) || (code >= 0x7f && code <= 0x9f);

/** The text without control characters: names, rows and log lines of others must not steer the terminal. */
export const printable = (text: string): string =>
  Array.from(text, (character) => (isControl(character.charCodeAt(0)) ? "\uFFFD" : character)).join("");
