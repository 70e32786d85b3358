package svc.database.shared.queues;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.database.shared.Sql;

/** The functions of pgmq do what its documentation says. */
class QueuesTest extends QueueFixture {
    @BeforeEach
    void makeQueue() throws Exception {
        Sql.run(owner, "SELECT svc_pgmq.create('jobs')");
    }

    @Test
    void aMessageIsSentReadAndDeleted() throws Exception {
        assertThat(value("SELECT svc_pgmq.send('jobs', '{\"a\": 1}')")).isEqualTo("1");
        assertThat(value(
                        "SELECT concat_ws('|', msg_id, read_ct, message, headers, vt > clock_timestamp() + interval '25 s')"
                                + " FROM svc_pgmq.read('jobs', 30, 5)"))
                .isEqualTo("1|1|{\"a\": 1}|t");
        assertThat(value("SELECT count(*) FROM svc_pgmq.read('jobs', 30, 5)")).isEqualTo("0");
        assertThat(value("SELECT read_ct FROM svc_pgmq.set_vt('jobs', 1, 0)")).isEqualTo("1");
        assertThat(value("SELECT read_ct FROM svc_pgmq.read('jobs', 0, 1)")).isEqualTo("2");
        assertThat(value("SELECT svc_pgmq.delete('jobs', 1)")).isEqualTo("t");
        assertThat(value("SELECT svc_pgmq.delete('jobs', 1)")).isEqualTo("f");
        assertThat(value("SELECT count(*) FROM $S__pgmq.q_jobs")).isEqualTo("0");
    }

    @Test
    void everyFormOfSendIsThere() throws Exception {
        for (String arguments : List.of(
                "queue_name => 'jobs', msg => '{}'",
                "'jobs', '{}', '{\"h\": 1}'::jsonb",
                "queue_name => 'jobs', msg => '{}', delay => 60",
                "'jobs', '{}', clock_timestamp() + interval '1 minute'",
                "'jobs', '{}', '{\"h\": 1}', 60",
                "'jobs', '{}', '{\"h\": 1}', clock_timestamp() + interval '1 minute'")) {
            assertThat(state("SELECT * FROM svc_pgmq.send(" + arguments + ")"))
                    .as(arguments)
                    .isEqualTo("00000");
        }
        assertThat(value("SELECT string_agg(msg_id::text || coalesce(headers ->> 'h', ''), ' ' ORDER BY msg_id)"
                        + " FROM svc_pgmq.read('jobs', 30, 100)"))
                .isEqualTo("1 21");
        for (String arguments : List.of(
                "'jobs', ARRAY['{}', '{}']::jsonb[]",
                "'jobs', ARRAY['{}']::jsonb[], ARRAY['{\"h\": 1}']::jsonb[]",
                "queue_name := 'jobs', msgs := ARRAY['{}']::jsonb[], delay := 60",
                "'jobs', ARRAY['{}']::jsonb[], clock_timestamp()",
                "'jobs', ARRAY['{}']::jsonb[], NULL::jsonb[], 60")) {
            assertThat(state("SELECT * FROM svc_pgmq.send_batch(" + arguments + ")"))
                    .as(arguments)
                    .isEqualTo("00000");
        }
        assertThat(value("SELECT max(msg_id) FROM $S__pgmq.q_jobs")).isEqualTo("12");
        assertThat(state("SELECT svc_pgmq.send_batch('jobs', '{}'::jsonb[])")).isEqualTo("22023");
    }

    @Test
    void readingTakesWhatIsAskedForInOrder() throws Exception {
        Sql.run(owner, "SELECT svc_pgmq.send_batch('jobs', ARRAY['{\"k\": 1}', '{\"k\": 2}', '{\"k\": 1}']::jsonb[])");

        assertThat(Sql.column(owner, "SELECT msg_id FROM svc_pgmq.read('jobs', 0, 2)"))
                .containsExactly("1", "2");
        assertThat(Sql.column(owner, "SELECT msg_id FROM svc_pgmq.read('jobs', 0, 9, '{\"k\": 1}')"))
                .containsExactly("1", "3");
        assertThat(Sql.column(owner, "SELECT msg_id FROM svc_pgmq.read_with_poll('jobs', 0, 1, 1, 10)"))
                .containsExactly("1");
        assertThat(Sql.column(owner, "SELECT msg_id FROM svc_pgmq.pop('jobs')")).containsExactly("1");
        assertThat(Sql.column(owner, "SELECT msg_id FROM svc_pgmq.pop('jobs', 5)"))
                .containsExactly("2", "3");
        assertThat(Sql.column(owner, "SELECT msg_id FROM svc_pgmq.read_with_poll('jobs', 0, 1, 0)"))
                .isEmpty();
    }

    @Test
    void twoReadersNeverGetTheSameMessage() throws Exception {
        Sql.run(owner, "SELECT svc_pgmq.send_batch('jobs', ARRAY['{}', '{}']::jsonb[])");
        try (Connection first = tenant.owner()) {
            first.setAutoCommit(false);
            assertThat(Sql.column(first, "SELECT msg_id FROM svc_pgmq.read('jobs', 30, 1)"))
                    .containsExactly("1");
            assertThat(Sql.column(owner, "SELECT msg_id FROM svc_pgmq.read('jobs', 0, 2)"))
                    .containsExactly("2");
            first.rollback();
        }
        assertThat(Sql.column(owner, "SELECT msg_id FROM svc_pgmq.read('jobs', 0, 2)"))
                .containsExactly("1", "2");
    }

    @Test
    void archivedMessagesAreKept() throws Exception {
        Sql.run(owner, "SELECT svc_pgmq.send_batch('jobs', ARRAY['{}', '{}', '{}']::jsonb[])");

        assertThat(value("SELECT svc_pgmq.archive('jobs', 1)")).isEqualTo("t");
        assertThat(value("SELECT svc_pgmq.archive('jobs', 7)")).isEqualTo("f");
        assertThat(Sql.column(owner, "SELECT svc_pgmq.archive('jobs', ARRAY[2, 3, 9]::bigint[])"))
                .containsExactlyInAnyOrder("2", "3");
        assertThat(value("SELECT count(*) FROM $S__pgmq.a_jobs WHERE archived_at <= now()"))
                .isEqualTo("3");
    }

    @Test
    void queuesAreListedMeasuredPurgedAndDropped() throws Exception {
        Sql.run(owner, "SELECT svc_pgmq.create_unlogged('Fast One'); SELECT svc_pgmq.send('Fast One', '{}', 60)");

        assertThat(Sql.column(owner, "SELECT queue_name || is_unlogged FROM svc_pgmq.list_queues()"))
                .containsExactlyInAnyOrder("Fast Onetrue", "jobsfalse");
        assertThat(value("SELECT concat_ws('|', queue_name, queue_length, total_messages, queue_visible_length,"
                        + " newest_msg_age_sec) FROM svc_pgmq.metrics('Fast One')"))
                .isEqualTo("Fast One|1|1|0|0");
        assertThat(value("SELECT count(*) FROM svc_pgmq.metrics_all()")).isEqualTo("2");
        assertThat(value("SELECT svc_pgmq.purge_queue('Fast One')")).isEqualTo("1");
        assertThat(value("SELECT svc_pgmq.drop_queue('Fast One')")).isEqualTo("t");
        assertThat(value("SELECT svc_pgmq.drop_queue('Fast One')")).isEqualTo("f");
        assertThat(Sql.column(owner, "SELECT queue_name FROM svc_pgmq.list_queues()"))
                .containsExactly("jobs");
    }

    @Test
    void aQueueIsMadeTwiceWithoutEffect() throws Exception {
        Sql.run(owner, "SELECT svc_pgmq.send('jobs', '{}'); SELECT svc_pgmq.create('jobs')");

        assertThat(value("SELECT count(*) FROM $S__pgmq.q_jobs")).isEqualTo("1");
    }

    @Test
    void namesThatCannotBePartOfATableAreRefused() {
        for (String name :
                List.of("''", "NULL", "'a$b'", "'a;b'", "'a--b'", "'a''b'", "repeat('a', 48)", "repeat('é', 24)")) {
            assertThat(state("SELECT svc_pgmq.create(" + name + ")")).as(name).isEqualTo("42602");
        }
        for (String name : List.of("repeat('a', 47)", "'a\"b'", "'a.b'", "'ÄÖ'")) {
            assertThat(state("SELECT svc_pgmq.create(" + name + "); SELECT svc_pgmq.send(" + name + ", '{}')"))
                    .as(name)
                    .isEqualTo("00000");
        }
        assertThat(state("SELECT svc_pgmq.create_partitioned('p')")).isEqualTo("0A000");
        assertThat(state("SELECT svc_pgmq.send('unknown', '{}')")).isEqualTo("42P01");
    }

    @Test
    void aProjectHasAHundred() throws Exception {
        for (int i : IntStream.range(1, 100).toArray()) {
            Sql.run(owner, "SELECT svc_pgmq.create('q" + i + "')");
        }
        assertThat(state("SELECT svc_pgmq.create('one_more')")).isEqualTo("54000");
        assertThat(state("SELECT svc_pgmq.create('jobs')")).isEqualTo("00000");
        assertThat(Sql.state(other, "SELECT svc_pgmq.create('one_more')")).isEqualTo("00000");
    }
}
