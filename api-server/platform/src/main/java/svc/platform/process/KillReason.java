package svc.platform.process;

/** The limit for which a child process was killed. */
public enum KillReason {
    PROCESSOR_TIME,
    WALL_TIME,
    MEMORY
}
