/** Watches of this process: blocked threads, and a heap that is collected all the time. */
package svc.server.watch;
