import type { Command } from "commander";
import type { Session } from "../session.js";

/** Runs a command's work with the session of this run. The last two arguments of commander are options and the command. */
export type Run = (work: (session: Session, ...args: any[]) => Promise<void>) => (...args: any[]) => Promise<void>;

/** A group of commands adds itself to the program. */
export type Commands = (program: Command, run: Run) => void;
