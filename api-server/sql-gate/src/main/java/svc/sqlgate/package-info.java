/**
 * Decides which SQL may run: PostgreSQL's own parse of a script, checked against an allow-list. Pure but for {@link
 * svc.sqlgate.ScriptReader}, which asks the sandbox.
 *
 * <p>The gate gives clear answers early. What keeps tenants apart when a text gets past it is the server itself: a login
 * per project, closed catalogs, the guard of DDL.
 */
package svc.sqlgate;
