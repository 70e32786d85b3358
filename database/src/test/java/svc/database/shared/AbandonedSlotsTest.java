package svc.database.shared;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A slot of the realtime service that nothing reads keeps the log no longer; slots of others are left alone. */
class AbandonedSlotsTest {
    @AfterEach
    void leaveNothing() throws Exception {
        try (Connection superuser = HardenedServer.superuser()) {
            Sql.run(
                    superuser,
                    "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots"
                            + " WHERE database = current_database()");
        }
    }

    @Test
    void onlySlotsThatWereNotReadForLongAreDropped() throws Exception {
        try (Connection superuser = HardenedServer.superuser()) {
            Sql.run(superuser, "SELECT pg_create_logical_replication_slot('svc_realtime_test', 'pgoutput')");
            Sql.run(superuser, "SELECT pg_create_logical_replication_slot('of_others', 'pgoutput')");
            assertThat(AbandonedSlots.drop(superuser)).isZero();
            assertThat(AbandonedSlots.drop(superuser, Duration.ofSeconds(-60))).isEqualTo(1);
            assertThat(Sql.column(
                            superuser,
                            "SELECT slot_name FROM pg_replication_slots WHERE database = current_database()"))
                    .containsExactly("of_others");
        }
    }
}
