/** What the tests run things with: the platform that they share, its database, and the programs of its users. */
package svc.e2e.running;
