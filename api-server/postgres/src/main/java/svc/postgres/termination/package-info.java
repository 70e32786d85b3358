/** Terminates sessions that a pool has given up: PostgreSQL runs their statement on after their socket is closed. */
package svc.postgres.termination;
