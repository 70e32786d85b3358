/** How a connection to a database is encrypted, and whom it believes. */
package svc.database.tls;
