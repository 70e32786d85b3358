/** Turns what was sent into what runs: bundling and the first start of a function, each in a process of its own. */
package svc.management.function.bundle;
