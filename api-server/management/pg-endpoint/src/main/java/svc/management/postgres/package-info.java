/**
 * An endpoint that speaks PostgreSQL's protocol to clients and runs what they send by the way of {@code /database/query}:
 * no byte of a client reaches PostgreSQL.
 */
package svc.management.postgres;
