/**
 * PostgreSQL's protocol 3.0 without a thread that waits: the driver logs in, then its socket is driven by an event loop.
 * Knows messages and connections, nothing of projects or transactions.
 */
package svc.postgres.wire;
