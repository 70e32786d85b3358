package svc.database.loop;

/** A project's own transactions hold what a run of a {@link ProjectLoop} needs. */
public final class ProjectBusyException extends Exception {
    private static final long serialVersionUID = 1;

    /** @param what is held, for the log */
    public ProjectBusyException(String what) {
        super(what);
    }
}
