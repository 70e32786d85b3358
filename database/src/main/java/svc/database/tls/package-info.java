/** TLS of database connections: sslmode and trusted certificate authorities. */
package svc.database.tls;
