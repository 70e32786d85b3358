package svc.operator.watch.rule;

/**
 * A server process. Numbers are used again, so the start belongs to the identity.
 *
 * @param pid the number of the process
 * @param begunMicros its start, in microseconds since 1970
 */
public record ProcessId(int pid, long begunMicros) {}
