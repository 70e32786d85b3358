/** Ends sessions in the server that a pool has given up: closing their sockets does not stop what they run. */
package svc.postgres.ending;
