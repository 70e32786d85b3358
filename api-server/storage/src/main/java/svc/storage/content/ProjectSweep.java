package svc.storage.content;

import svc.platform.tenancy.Tenant;

/** Removes one kind of what a project's calls left behind: of a fault, of an end of the process, of clients that left. */
public interface ProjectSweep {
    /**
     * Removes what has been left for long enough. Repeating it is harmless, also on several instances at the same time.
     *
     * @return how many were removed
     */
    int sweep(Tenant tenant);

    /** What is removed, in the plural, for the log. */
    String what();
}
