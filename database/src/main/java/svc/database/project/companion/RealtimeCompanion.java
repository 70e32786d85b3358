package svc.database.project.companion;

import static svc.database.name.DatabaseRole.ANON;
import static svc.database.name.DatabaseRole.AUTHENTICATED;
import static svc.database.name.DatabaseRole.OWNER;
import static svc.database.name.DatabaseRole.SERVICE;
import static svc.database.project.companion.Privilege.INSERT;
import static svc.database.project.companion.Privilege.SELECT;

import java.util.Set;
import svc.database.project.companion.TablePart.Constraint;
import svc.database.project.companion.TablePart.Index;
import svc.database.sql.SqlFragment;

/**
 * The messages of the realtime service, completed when a project first uses it. Callers insert as far as policies allow; the
 * owner, whose triggers send what has changed, always may. Times are of UTC, whatever the session's zone is, and not of the
 * transaction's begin: messages of one transaction keep their order.
 */
final class RealtimeCompanion {
    private static final String NOW = "timezone('utc'::text, clock_timestamp())";

    static final CompanionTable MESSAGES = LeanCompanion.MESSAGES
            .storedByType()
            .changing("topic", Column::notNull)
            .changing("extension", Column::notNull)
            .changing("private", column -> column.withDefault("false"))
            .changing("id", column -> column.notNull().withDefault("gen_random_uuid()"))
            .changing("inserted_at", column -> column.notNull().withDefault(NOW))
            .changing("updated_at", column -> column.notNull().withDefault(NOW))
            .with(Constraint.of("messages_pkey", "PRIMARY KEY (id)"))
            // Of the sweep, and of replays.
            .with(Index.of("messages_inserted_at_idx", "USING btree (inserted_at)"))
            .with(Index.of("messages_topic_inserted_at_idx", "USING btree (topic, inserted_at)"))
            .with(LeanCompanion.ownerPolicy(SqlFragment.of("ALL"), SqlFragment.of("true")))
            .granting(Set.of(SELECT, INSERT), OWNER, ANON, AUTHENTICATED, SERVICE);

    private RealtimeCompanion() {}
}
