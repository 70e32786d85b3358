/** The log of a database as a stream of committed changes: PostgreSQL's logical replication with the plugin pgoutput. */
package svc.postgres.replication;
