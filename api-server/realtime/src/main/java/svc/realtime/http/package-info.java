/** The HTTP side of {@code /realtime/v1}: the handshake of sockets, and broadcasts by request. */
package svc.realtime.http;
