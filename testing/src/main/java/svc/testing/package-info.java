/**
 * Fixtures of the api-server's tests: keys, hardened databases with projects, HTTP clients, a proxy that breaks
 * database connections.
 */
package svc.testing;
