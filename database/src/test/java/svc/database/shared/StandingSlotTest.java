package svc.database.shared;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A slot stands while tables are published; without a reader it keeps little of the log. */
class StandingSlotTest {
    /** As if nothing had read it for long. */
    private static final Duration AT_ONCE = Duration.ofSeconds(-60);

    /** Its own: other tests publish tables of theirs. */
    private static final String DATABASE = HardenedServer.SERVER.createDatabase("standing");

    private static final String SLOT = StandingSlot.nameOf(DATABASE);

    @BeforeAll
    static void harden() throws SQLException {
        HardenedServer.harden(DATABASE, Set.of(HardenedServer.DATABASE));
    }

    private static Connection superuser() throws SQLException {
        return HardenedServer.SERVER.connect(DATABASE);
    }

    @AfterEach
    void leaveNothing() throws SQLException {
        try (Connection superuser = superuser()) {
            Sql.run(
                    superuser,
                    "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots"
                            + " WHERE database = current_database(); DROP TABLE IF EXISTS public.published");
        }
    }

    private static void publish(Connection superuser) throws SQLException {
        Sql.run(
                superuser,
                "CREATE TABLE public.published (id int PRIMARY KEY);"
                        + " ALTER PUBLICATION svc_realtime ADD TABLE public.published");
    }

    private static long unconfirmed(Connection superuser) throws SQLException {
        return Long.parseLong(Sql.column(
                        superuser,
                        "SELECT pg_current_wal_flush_lsn() - confirmed_flush_lsn FROM pg_replication_slots"
                                + " WHERE slot_name = '" + SLOT + "'")
                .getFirst());
    }

    @Test
    void aSlotIsMissingOnlyWhereTablesArePublished() throws SQLException {
        try (Connection superuser = superuser()) {
            assertThat(StandingSlot.isMissing(superuser)).isFalse();
            publish(superuser);
            assertThat(StandingSlot.isMissing(superuser)).isTrue();
            assertThat(StandingSlot.create(superuser)).isTrue();
            assertThat(StandingSlot.isMissing(superuser)).isFalse();
            assertThat(StandingSlot.create(superuser))
                    .as("another operator was quicker")
                    .isFalse();
            assertThat(Sql.column(
                            superuser,
                            "SELECT slot_name FROM pg_replication_slots WHERE database = current_database()"))
                    .isEqualTo(List.of(SLOT));
        }
    }

    @Test
    void withoutAReaderItIsAdvancedAndKeepsLittleOfTheLog() throws SQLException {
        try (Connection superuser = superuser()) {
            publish(superuser);
            StandingSlot.create(superuser);
            Sql.run(superuser, "INSERT INTO public.published SELECT generate_series(1, 20000)");
            Sql.run(superuser, "SELECT pg_switch_wal()");
            long before = unconfirmed(superuser);
            assertThat(before).isGreaterThan(1_000_000);
            assertThat(StandingSlot.advance(superuser)).as("read a moment ago").isFalse();
            assertThat(StandingSlot.advance(superuser, AT_ONCE)).isTrue();
            assertThat(unconfirmed(superuser)).isLessThan(before / 10);
        }
    }

    @Test
    void aSlotThatStandsNoLongerIsNotAdvanced() throws SQLException {
        try (Connection superuser = superuser()) {
            publish(superuser);
            StandingSlot.create(superuser);
            Sql.run(superuser, "DROP TABLE public.published");
            assertThat(StandingSlot.advance(superuser, AT_ONCE)).isFalse();
            assertThat(AbandonedSlots.drop(superuser, AT_ONCE)).isEqualTo(1);
        }
    }
}
