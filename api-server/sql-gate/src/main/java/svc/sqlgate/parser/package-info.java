/** Programs of the sandbox as child processes: pooled, bounded in time and memory, replaced when they fall. */
package svc.sqlgate.parser;
