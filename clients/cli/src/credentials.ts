import { chmod, mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type { Environment } from "./console.js";
import { ExitCode, Failure } from "./failure.js";

interface Content {
  /** The control plane of calls that name none. */
  default?: string;
  /** Tokens by the control plane's address. */
  tokens: Record<string, string>;
}

/** The tokens of this user: `$XDG_CONFIG_HOME/svc/credentials.json`, readable by its owner alone. */
export class Credentials {
  readonly file: string;

  constructor(environment: Environment) {
    const configured = environment["XDG_CONFIG_HOME"];
    // The specification of the base directories ignores relative ones.
    const folder = configured?.startsWith("/") ? configured : join(environment["HOME"] ?? homedir(), ".config");
    this.file = join(folder, "svc", "credentials.json");
  }

  async defaultUrl(): Promise<string | undefined> {
    return (await this.#read()).default;
  }

  async token(url: string): Promise<string | undefined> {
    return (await this.#read()).tokens[url];
  }

  async store(url: string, token: string): Promise<void> {
    const content = await this.#read();
    await this.#write({ default: url, tokens: { ...content.tokens, [url]: token } });
  }

  /** Whether there was a token to remove. */
  async remove(url: string): Promise<boolean> {
    const { default: chosen, tokens } = await this.#read();
    if (tokens[url] === undefined) return false;
    const { [url]: _, ...others } = tokens;
    const next = chosen === url ? Object.keys(others)[0] : chosen;
    await this.#write({ ...(next === undefined ? {} : { default: next }), tokens: others });
    return true;
  }

  async #read(): Promise<Content> {
    let text: string;
    try {
      text = await readFile(this.file, "utf8");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return { tokens: {} };
      throw new Failure(ExitCode.UNAUTHORIZED, `${this.file} cannot be read: ${(error as Error).message}.`);
    }
    try {
      const content = JSON.parse(text) as Content;
      if (typeof content.tokens === "object" && content.tokens !== null) return content;
    } catch {
      // Said below, without the text.
    }
    throw new Failure(ExitCode.UNAUTHORIZED, `${this.file} is not a file of credentials.`, {
      next: "delete it, then run: svc login",
    });
  }

  /** Written beside and renamed: no reader sees half of it, and it never has other permissions. */
  async #write(content: Content): Promise<void> {
    const folder = dirname(this.file);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const next = `${this.file}.${process.pid}`;
    try {
      await rm(next, { force: true });
      const file = await open(next, "wx", 0o600);
      await file.writeFile(`${JSON.stringify(content, null, 2)}\n`);
      await file.close();
      await chmod(next, 0o600);
      await rename(next, this.file);
    } catch (error) {
      await rm(next, { force: true });
      throw new Failure(ExitCode.REFUSED, `${this.file} cannot be written: ${(error as Error).message}.`);
    }
  }
}
