import type { Console, Environment } from "./console.js";
import { Credentials } from "./credentials.js";
import { ExitCode, Failure, usage } from "./failure.js";
import { ManagementApi } from "./management_api.js";
import { isRef, Workspace } from "./project/workspace.js";

/** The options that every command has. */
export interface GlobalOptions {
  apiUrl?: string;
  projectRef?: string;
  workdir?: string;
  json?: boolean;
  quiet?: boolean;
  verbose?: boolean;
  timeout?: string;
}

const USUAL_TIMEOUT = 60;
const MAX_TIMEOUT = 3600;

/** The project that a command works on. */
export interface Project {
  ref: string;
  api: ManagementApi;
}

/** One run: finds the control plane, the token, the folder and the project when a command needs them. */
export class Session {
  readonly credentials: Credentials;

  constructor(
    readonly console: Console,
    readonly environment: Environment,
    readonly options: GlobalOptions,
    private readonly directory: string,
  ) {
    this.credentials = new Credentials(environment);
  }

  get workdir(): string {
    return this.options.workdir ?? this.directory;
  }

  workspace(): Promise<Workspace> {
    return Workspace.require(this.workdir);
  }

  /**
   * The control plane with a token. A token of the environment goes only to an address that the user gave, never to one that a
   * folder names: folders come from others.
   */
  async api(): Promise<ManagementApi> {
    const fromEnvironment = this.environment["SVC_ACCESS_TOKEN"]?.trim();
    const given = this.options.apiUrl ?? this.environment["SVC_API_URL"];
    if (fromEnvironment) {
      const url = given ?? (await this.credentials.defaultUrl());
      if (url === undefined) {
        throw usage(
          "SVC_ACCESS_TOKEN is set, but no address of a control plane.",
          "set SVC_API_URL, or give --api-url",
        );
      }
      return this.apiOf(controlPlane(url), fromEnvironment);
    }
    const linked = given === undefined ? (await (await Workspace.find(this.workdir))?.link())?.url : undefined;
    const url = given ?? linked ?? (await this.credentials.defaultUrl());
    if (url === undefined) throw notSignedIn("You are not signed in.");
    const address = controlPlane(url);
    const token = await this.credentials.token(address);
    if (token === undefined) throw notSignedIn(`You are not signed in to ${address}.`, address);
    return this.apiOf(address, token);
  }

  apiOf(url: string, token: string): ManagementApi {
    if (!/^[\x21-\x7e]+$/.test(token)) {
      throw new Failure(ExitCode.UNAUTHORIZED, "The token has characters that no token has.", { next: "svc login" });
    }
    return new ManagementApi({
      url,
      token,
      timeout: this.#timeout(),
      trace: (line) => this.options.verbose && this.console.note(`  ${line}`),
    });
  }

  /** The ref of the project: of the option, of the environment, else of the folder. */
  async ref(): Promise<string> {
    const given = this.options.projectRef ?? this.environment["SVC_PROJECT_REF"];
    if (given !== undefined) {
      if (isRef(given)) return given;
      throw usage(
        `${JSON.stringify(given)} is no project's ref: a letter and 7 letters or digits.`,
        "svc projects list",
      );
    }
    const link = await (await Workspace.find(this.workdir))?.link();
    if (link !== undefined) return link.ref;
    throw new Failure(ExitCode.NO_PROJECT, "No project is chosen: this folder is not linked to one.", {
      code: "no_project",
      next: "svc link <ref>, or give --project-ref <ref>; svc projects list shows them",
    });
  }

  async project(): Promise<Project> {
    const ref = await this.ref();
    return { ref, api: await this.api() };
  }

  /** The path of a call about the project. */
  static path(ref: string, rest = ""): string {
    return `/projects/${encodeURIComponent(ref)}${rest}`;
  }

  #timeout(): number {
    const seconds = Number(this.options.timeout ?? USUAL_TIMEOUT);
    if (!Number.isFinite(seconds) || seconds <= 0 || seconds > MAX_TIMEOUT) {
      throw usage(`--timeout must be a number of seconds up to ${MAX_TIMEOUT}.`);
    }
    return seconds * 1000;
  }
}

/** The address in one spelling: no slash at the end, with `/v1`. */
export function controlPlane(text: string): string {
  let url: URL;
  try {
    url = new URL(text.trim());
  } catch {
    throw usage(`${JSON.stringify(text)} is no address of a control plane.`, "such as https://api.example.com/v1");
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") throw usage(`${url.href} is no http or https address.`);
  if (url.username !== "" || url.password !== "") throw usage("The address must not contain a password.");
  const path = url.pathname.replace(/\/+$/, "");
  return `${url.origin}${/\/v\d+$/.test(path) ? path : `${path}/v1`}`;
}

function notSignedIn(message: string, url?: string): Failure {
  return new Failure(ExitCode.UNAUTHORIZED, message, {
    code: "not_signed_in",
    next: url === undefined ? "svc login --api-url <address>" : `svc login --api-url ${url}`,
  });
}
