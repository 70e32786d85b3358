/** Channels of sockets: joins, leaves, tokens, and the rooms in which they meet. */
package svc.realtime.channel;
