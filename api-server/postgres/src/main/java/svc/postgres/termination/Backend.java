package svc.postgres.termination;

/**
 * A session as its server knows it.
 *
 * @param pid the server's process, whose number is used again once the session has ended
 * @param began in microseconds since 1970, by the server's clock
 * @param login its user
 */
public record Backend(int pid, long began, String login) {}
