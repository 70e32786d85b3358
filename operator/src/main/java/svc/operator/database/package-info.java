/** Connections to the configured databases and their one-time preparation. With {@code *.database}, the only JDBC. */
package svc.operator.database;
