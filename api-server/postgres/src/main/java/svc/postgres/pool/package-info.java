/** The connection pool: one bucket per login, one cap for all, least recently used connections evicted first. */
package svc.postgres.pool;
