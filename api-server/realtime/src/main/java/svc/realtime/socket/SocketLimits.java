package svc.realtime.socket;

/**
 * What one socket may hold.
 *
 * @param message the largest message of a client, in bytes
 * @param queue bytes that may wait for a client when one more message comes
 */
public record SocketLimits(int message, long queue) {}
