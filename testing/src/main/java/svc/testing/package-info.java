/** Fixtures of the api-server's tests: keys, hardened databases with projects, HTTP clients, a database that goes away. */
package svc.testing;
