/** Blocking transactions of the platform's own logins over JDBC: the platform schema and the catalogs. */
package svc.postgres.jdbc;
