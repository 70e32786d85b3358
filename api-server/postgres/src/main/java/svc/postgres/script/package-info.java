/**
 * Runs a tenant's script as the owner of its project: a connection of its own, one message, one transaction.
 *
 * <p>Speaks PostgreSQL's protocol itself. The JDBC driver splits a text into statements by a parser of its own, which may
 * read another script than the one that was judged; and it keeps every row of an answer before they can be counted, so
 * that one SELECT of a tenant could take the memory of all.
 */
package svc.postgres.script;
