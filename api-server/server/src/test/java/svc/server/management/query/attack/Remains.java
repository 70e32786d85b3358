package svc.server.management.query.attack;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;

/** What an attacker still has when its calls are answered: sessions, locks, and whatever lies in its own tables. */
final class Remains {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    /** Pooled sessions of the data plane may stay, when nothing is under way in them. */
    private static final String SESSIONS = """
            SELECT string_agg(concat_ws(' ', usename, state, left(query, 100)), '; ') FROM pg_stat_activity a
            WHERE usename LIKE '$S\\_%' AND (usename LIKE '%\\_owner' OR state IS DISTINCT FROM 'idle'
                OR EXISTS (SELECT FROM pg_locks l WHERE l.pid = a.pid AND l.locktype <> 'virtualxid'))""";

    /** Of all tables of the attacker's, those whose rows hold the secret. */
    private static final String LOOT = """
            SELECT string_agg(c.oid::regclass::text, ', ') FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE (n.nspname = '$S' OR n.nspname LIKE '$S\\_%') AND c.relkind IN ('r', 'm')
                AND (query_to_xml(format('SELECT count(*) FROM %s x WHERE x::text LIKE ''%%$C%%''', c.oid::regclass),
                    false, true, ''))::text NOT LIKE '%<count>0</count>%'""";

    private static final String DEFINITIONS = """
            SELECT string_agg(x, '; ') FROM (
                SELECT 'comment ' || d.description AS x FROM pg_description d JOIN pg_class c ON c.oid = d.objoid
                WHERE c.relnamespace = '$S'::regnamespace
                UNION ALL SELECT 'function ' || p.prosrc FROM pg_proc p WHERE p.pronamespace = '$S'::regnamespace
                UNION ALL SELECT 'view ' || pg_get_viewdef(c.oid) FROM pg_class c
                WHERE c.relnamespace = '$S'::regnamespace AND c.relkind = 'v'
                UNION ALL SELECT 'default ' || pg_get_expr(a.adbin, a.adrelid) FROM pg_attrdef a
                JOIN pg_class c ON c.oid = a.adrelid WHERE c.relnamespace = '$S'::regnamespace) o
            WHERE x LIKE '%$C%'""";

    private Remains() {}

    static void check(Attacker attacker, Neighbour neighbour, Superuser superuser) {
        String sessions = SESSIONS.replace("$S", attacker.schema());
        Instant limit = Instant.now().plus(TIMEOUT);
        String left = superuser.ask(sessions);
        // A server process ends a moment after its socket.
        while (left != null && Instant.now().isBefore(limit)) {
            left = superuser.ask(sessions);
        }
        assertThat(left).as("sessions that the attacker still has").isNull();
        for (String query : new String[] {LOOT, DEFINITIONS}) {
            assertThat(superuser.ask(query.replace("$S", attacker.schema()).replace("$C", neighbour.canary())))
                    .as("secrets that the attacker holds")
                    .isNull();
        }
    }
}
