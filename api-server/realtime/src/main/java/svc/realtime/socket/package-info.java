/** WebSockets of clients: frames in and out, within bounds of memory. */
package svc.realtime.socket;
