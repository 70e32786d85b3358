/**
 * PostgreSQL's protocol 3.0: the one codec, and sessions that the driver opens and an event loop drives afterwards.
 * Knows messages and connections, nothing of projects or transactions.
 */
package svc.postgres.wire;
