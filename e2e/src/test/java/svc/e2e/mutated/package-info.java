/** Requests with mistakes of every kind, sent over sockets, and the promises that hold for the answer to each. */
package svc.e2e.mutated;
