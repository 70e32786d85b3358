/** Sockets to database servers that a tenant chose: the driver keeps what such a server sends, so they bound it. */
package svc.database.socket;
