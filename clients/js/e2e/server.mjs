// Runs the application on Node.js, or on Deno: its input is JSON on standard input, what it saw goes to standard output.
import process from "node:process";
import { text } from "node:stream/consumers";
import { application } from "./application.mjs";

console.log(JSON.stringify(await application(JSON.parse(await text(process.stdin)))));
// The client refreshes sessions and keeps connections as long as a program lives.
process.exit(0);
