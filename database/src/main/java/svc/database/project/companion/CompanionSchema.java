package svc.database.project.companion;

import java.util.Locale;
import svc.database.name.ProjectNames;
import svc.database.sql.Identifier;

/** The companion schemas of a project. */
public enum CompanionSchema {
    AUTH,
    STORAGE,
    REALTIME;

    /** {@code auth}, {@code storage} or {@code realtime}: as in facts and messages. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    public Identifier in(ProjectNames names) {
        return switch (this) {
            case AUTH -> names.auth();
            case STORAGE -> names.storage();
            case REALTIME -> names.realtime();
        };
    }
}
