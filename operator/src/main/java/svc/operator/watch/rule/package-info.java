/** What the watch on a server does about a sample of its sessions. Pure: no I/O, and the time is an argument. */
package svc.operator.watch.rule;
