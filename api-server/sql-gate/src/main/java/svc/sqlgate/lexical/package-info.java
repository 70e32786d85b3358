/**
 * The lexical check: readers that know nothing of each other must find the same tokens and the same statements in a
 * script. One tenant's text that two of them read differently is refused, because it is unknown then which of them
 * PostgreSQL agrees with.
 */
package svc.sqlgate.lexical;
