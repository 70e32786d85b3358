package svc.management.migration;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import svc.postgres.flush.TransactionStatuses.Status;

/** Migrations in responses. */
public final class MigrationViews {
    private MigrationViews() {}

    /**
     * A migration of the history.
     *
     * @param name omitted if it has none
     * @param state {@code applied}; {@code running} while it is applied or rolled back; {@code unknown} if the database does not
     *     report the outcome
     * @param appliedAt when the platform saw its commit; omitted before
     * @param statements the SQL as sent, in one element; only in the response for one migration
     * @param rollback what undoes it, likewise; omitted if there is none
     */
    @Schema(name = "MigrationResponse")
    public record View(
            String version,
            String name,
            String state,
            Instant startedAt,
            Instant appliedAt,
            List<String> statements,
            List<String> rollback) {}

    /**
     * The result of a dry run.
     *
     * @param version the given one, or the one that it would have received
     * @param commands the command tag of each statement: {@code CREATE TABLE}, {@code INSERT}, …
     */
    @Schema(name = "MigrationDryRunResponse")
    public record DryRun(boolean dryRun, String version, String name, List<String> commands) {}

    /**
     * One file of a folder.
     *
     * @param state {@code applied} by this call; {@code already_applied} with the same text; {@code would_apply} in a dry run;
     *     {@code failed}; {@code changed}: applied with another text; {@code not_run}; of a repair {@code reverted} and {@code
     *     not_found}
     * @param appliedAt if it is in the history
     * @param commands in a dry run, the command tag of each statement
     */
    @Schema(name = "MigrationFileResult")
    public record FileView(String version, String name, String state, Instant appliedAt, List<String> commands) {
        static FileView of(MigrationRequest file, String state) {
            return new FileView(file.version().orElseThrow(), file.name().orElse(null), state, null, null);
        }

        static FileView of(Migration migration, String state) {
            return new FileView(
                    migration.version(),
                    migration.name().orElse(null),
                    state,
                    migration.appliedAt().orElse(null),
                    null);
        }

        FileView with(List<String> tags) {
            return new FileView(version, name, state, appliedAt, tags);
        }
    }

    /** What became of the files of a folder, by version. */
    @Schema(name = "MigrationFolderResponse")
    public record Folder(List<FileView> migrations) {}

    /**
     * A migration that was rolled back.
     *
     * @param name omitted if it had none
     */
    @Schema(name = "RolledBackMigrationResponse")
    public record RolledBack(String version, String name) {
        static RolledBack of(Rollback rollback) {
            return new RolledBack(rollback.version(), rollback.name().orElse(null));
        }
    }

    static View of(Migrations.Known known) {
        return of(known.migration(), known.status(), Optional.empty(), Optional.empty());
    }

    static View applied(Migration migration) {
        return of(migration, Status.COMMITTED, Optional.empty(), Optional.empty());
    }

    static View withText(Migrations.Known known, Optional<String> text, Optional<String> rollback) {
        return of(known.migration(), known.status(), text, rollback);
    }

    private static View of(Migration migration, Status status, Optional<String> text, Optional<String> rollback) {
        String state = switch (status) {
            case COMMITTED -> "applied";
            case IN_PROGRESS -> "running";
            case ABORTED, UNKNOWN -> "unknown";
        };
        return new View(
                migration.version(),
                migration.name().orElse(null),
                state,
                migration.startedAt(),
                migration.appliedAt().orElse(null),
                text.map(List::of).orElse(null),
                rollback.map(List::of).orElse(null));
    }
}
