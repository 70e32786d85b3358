package svc.management.migration;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import svc.postgres.flush.TransactionStatuses.Status;

/** Migrations as they are answered. */
public final class MigrationViews {
    private MigrationViews() {}

    /**
     * A migration of the history.
     *
     * @param name left out when it has none
     * @param state {@code applied}, {@code running}, or {@code unknown} when the database does not say what became of it
     * @param appliedAt when the platform learnt of its commit; left out before
     * @param statements the text as it was sent, in one piece; only in the answer for one migration
     */
    public record View(
            String version, String name, String state, Instant startedAt, Instant appliedAt, List<String> statements) {}

    /**
     * What a dry run would have done.
     *
     * @param version the one that was given, or the one that it would have had now
     * @param commands the server's word for each statement: {@code CREATE TABLE}, {@code INSERT}, …
     */
    public record DryRun(boolean dryRun, String version, String name, List<String> commands) {}

    static View of(Migrations.Known known) {
        return of(known.migration(), known.status(), null);
    }

    static View applied(Migration migration) {
        return of(migration, Status.COMMITTED, null);
    }

    static View withText(Migrations.Known known, Optional<String> text) {
        return of(known.migration(), known.status(), text.map(List::of).orElse(null));
    }

    private static View of(Migration migration, Status status, List<String> statements) {
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
                statements);
    }
}
