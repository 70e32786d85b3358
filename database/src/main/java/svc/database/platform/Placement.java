package svc.database.platform;

import java.util.List;
import svc.database.name.Layout;

/** In which database a project is made. Asked once: what the registry recorded holds from then on. */
public sealed interface Placement {
    Layout layout();

    /** The least loaded of these; the first of them among equals. */
    record Shared(List<String> databaseNames) implements Placement {
        public Shared {
            databaseNames = List.copyOf(databaseNames);
            if (databaseNames.isEmpty()) {
                throw new IllegalArgumentException("no shared database is configured");
            }
        }

        @Override
        public Layout layout() {
            return Layout.SHARED;
        }
    }

    /** The project's own database. */
    record Dedicated(String databaseName) implements Placement {
        @Override
        public Layout layout() {
            return Layout.DEDICATED;
        }
    }
}
