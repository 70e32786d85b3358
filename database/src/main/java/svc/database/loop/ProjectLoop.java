package svc.database.loop;

/**
 * Background work that is done for many projects, one at a time each: tables of a service, a publication, a sweep. A {@link
 * ProjectRunner} runs it. A run may wait for the project's own locks, for {@value #LOCK_TIMEOUT} each, and nothing else of
 * other projects.
 */
public interface ProjectLoop {
    /**
     * The lock_timeout of each connection that a run uses, in PostgreSQL's notation. A tenant may hold a lock for as long as
     * its transactions take, and a session that waits for it holds a connection meanwhile. The run fails and comes back later.
     */
    String LOCK_TIMEOUT = "200ms";

    /** What it does, as the log calls it. */
    String name();

    /**
     * Does what is due for one project. Never called for the same project by two threads.
     *
     * @throws ProjectBusyException when the project itself holds what the run needs; retried without a warning
     * @throws Exception when it failed; retried, with a warning for the first failure of a series
     */
    Progress run(String project) throws Exception;

    /** The end of a run that did not fail. */
    enum Progress {
        DONE,
        /** More is due for the project: it goes to the end of the line. */
        MORE
    }
}
