package svc.management.migration;

import java.util.List;

/** A change of the history by a client that knows it as a table. Nothing of it is run. */
public sealed interface HistoryChange {
    /**
     * A version is applied.
     *
     * @param name empty for none
     * @param text of the migration; empty for none
     */
    record Recorded(String version, String name, String text) implements HistoryChange {}

    /** Versions can be applied again. */
    record Reverted(List<String> versions) implements HistoryChange {
        public Reverted {
            versions = List.copyOf(versions);
        }
    }
}
