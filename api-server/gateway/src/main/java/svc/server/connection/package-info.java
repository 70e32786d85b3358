/**
 * Clients' connections, beneath HTTP: how many there are, how long they may be silent, and what they make this process
 * keep. A stranger can open a connection and send part of a head without any handler of the gateway being called.
 */
package svc.server.connection;
