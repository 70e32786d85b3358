package svc.database.project.companion;

import java.util.Locale;
import svc.database.name.ProjectNames;
import svc.database.sql.Identifier;

/** The schemas that stand beside a project's own. */
public enum CompanionSchema {
    AUTH,
    STORAGE,
    REALTIME;

    /** {@code auth}, {@code storage} or {@code realtime}: how facts and messages name it. */
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
