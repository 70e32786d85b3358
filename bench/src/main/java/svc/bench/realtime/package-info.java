/** Sockets, rooms and table changes. */
package svc.bench.realtime;
