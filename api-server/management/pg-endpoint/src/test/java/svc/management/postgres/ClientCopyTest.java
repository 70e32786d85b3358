package svc.management.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;
import org.postgresql.util.PSQLException;
import svc.postgres.wire.ClientMessages;
import svc.server.testing.TestingPlatform;

/** COPY between a client and its project, in both directions. */
@QuarkusTest
@QuarkusTestResource(value = TestingPlatform.class)
class ClientCopyTest extends TestBesideNeighbour {
    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static void run(WireClient wire, String... statements) throws IOException {
        for (String sql : statements) {
            assertThat(WireClient.error(wire.query(sql))).as(sql).isEmpty();
        }
    }

    private static String value(WireClient wire, String sql) throws IOException {
        List<WireClient.Message> answers = wire.query(sql);
        assertThat(WireClient.error(answers)).isEmpty();
        return answers.get(1).text().substring(6);
    }

    private static String rows(List<WireClient.Message> answers) {
        return answers.stream()
                .filter(message -> message.type() == 'd')
                .map(WireClient.Message::text)
                .collect(Collectors.joining());
    }

    /** Sends a COPY … FROM STDIN, and waits until rows are asked for. */
    private static void begin(WireClient wire, String sql) throws IOException {
        wire.send(out -> out.query(sql));
        WireClient.Message asked = wire.next();
        assertThat(asked.type()).as(asked.text()).isEqualTo('G');
    }

    private static List<WireClient.Message> copied(WireClient wire, String sql, String... rows) throws IOException {
        begin(wire, sql);
        for (String row : rows) {
            wire.send(out -> out.copyData(bytes(row)));
        }
        wire.send(ClientMessages::copyDone);
        return wire.untilReady();
    }

    @Test
    void rowsAreCopiedInAndOut() throws IOException {
        try (WireClient wire = signedIn()) {
            run(wire, "create table public.t (id int primary key, note text)");
            // Where the data of a client is cut means nothing.
            List<WireClient.Message> in = copied(wire, "copy public.t from stdin", "1\tä😀\n2\t", "\\N\n3", "\tx\n");
            assertThat(WireClient.types(in)).isEqualTo("CZ");
            assertThat(in.getFirst().text()).isEqualTo("COPY 3|");
            List<WireClient.Message> out = wire.query("copy (select * from public.t order by id) to stdout");
            assertThat(WireClient.types(out)).isEqualTo("HdddcCZ");
            assertThat(rows(out)).isEqualTo("1\tä😀\n2\t\\N\n3\tx\n");
            out = wire.query(
                    "copy public.t (note, id) to stdout with (format csv, header, null '-', force_quote (note))");
            assertThat(rows(out)).isEqualTo("note,id\n\"ä😀\",1\n-,2\n\"x\",3\n");
            in = copied(wire, "copy t (id) from stdin with (format csv) where id > 10", "10\n11\n");
            assertThat(in.getFirst().text()).isEqualTo("COPY 1|");
        }
    }

    @Test
    void driversCopyTextAndBinary() throws SQLException, IOException {
        var properties = new Properties();
        properties.put("user", "postgres." + project.ref());
        properties.put("password", TestingPlatform.ADMIN);
        properties.put("sslmode", "disable");
        try (Connection connection = DriverManager.getConnection(
                        "jdbc:postgresql://127.0.0.1:" + endpoint.port() + "/postgres", properties);
                Statement statement = connection.createStatement()) {
            statement.execute("create table t (id int, note text)");
            CopyManager copy = connection.unwrap(PGConnection.class).getCopyAPI();
            String csv = "1,a\n".repeat(100_000);
            assertThat(copy.copyIn("copy t from stdin csv", new ByteArrayInputStream(bytes(csv))))
                    .isEqualTo(100_000);
            var binary = new ByteArrayOutputStream();
            copy.copyOut("copy t to stdout binary", binary);
            assertThat(copy.copyIn("copy t from stdin binary", new ByteArrayInputStream(binary.toByteArray())))
                    .isEqualTo(100_000);
            assertThatThrownBy(() -> copy.copyIn("copy t from stdin", new ByteArrayInputStream(bytes("x\ty\n"))))
                    .isInstanceOf(PSQLException.class)
                    .hasMessageContaining("invalid input syntax for type integer");
            // The connection goes on, and so does a transaction of it.
            connection.setAutoCommit(false);
            statement.execute("delete from t");
            copy.copyIn("copy t from stdin", new ByteArrayInputStream(bytes("7\tx\n")));
            var text = new ByteArrayOutputStream();
            copy.copyOut("copy t to stdout", text);
            assertThat(text.toString(StandardCharsets.UTF_8)).isEqualTo("7\tx\n");
            connection.rollback();
            text.reset();
            copy.copyOut("copy (select count(*) from t) to stdout", text);
            assertThat(text.toString(StandardCharsets.UTF_8)).isEqualTo("200000\n");
        }
    }

    @Test
    void theExtendedProtocolCopiesAsWell() throws IOException {
        try (WireClient wire = signedIn()) {
            run(wire, "create table t (id int primary key)");
            wire.statement("copy t from stdin");
            wire.send(ClientMessages::sync);
            assertThat(WireClient.types(List.of(wire.next(), wire.next(), wire.next(), wire.next())))
                    .isEqualTo("12nG");
            wire.send(out -> {
                out.copyData(bytes("1\n2\n"));
                out.copyDone();
            });
            // The Sync in front of the rows has no answer.
            assertThat(WireClient.types(wire.sync())).isEqualTo("CZ");
            wire.statement("copy t to stdout");
            assertThat(WireClient.types(wire.sync())).isEqualTo("12nHddcCZ");
            wire.statement("copy t from stdin");
            wire.send(ClientMessages::sync);
            assertThat(WireClient.types(List.of(wire.next(), wire.next(), wire.next(), wire.next())))
                    .isEqualTo("12nG");
            wire.send(out -> {
                out.copyData(bytes("1\n"));
                out.copyDone();
            });
            List<WireClient.Message> failed = wire.sync();
            assertThat(WireClient.types(failed)).isEqualTo("EZ");
            assertThat(WireClient.error(failed)).contains("C23505|");
            wire.statement("copy missing from stdin");
            assertThat(WireClient.types(wire.sync())).isEqualTo("12nEZ");
            wire.statement("copy t to stdout", "1");
            assertThat(WireClient.error(wire.sync())).contains("C42601|");
            assertThat(value(wire, "select count(*) from t")).isEqualTo("2");
        }
    }

    @Test
    void aCopyThatFailsLeavesNothing() throws IOException {
        try (WireClient wire = signedIn()) {
            run(wire, "create table t (id int primary key)");
            begin(wire, "copy t from stdin");
            wire.send(out -> {
                out.copyData(bytes("1\n"));
                out.copyFail("changed my mind");
            });
            assertThat(WireClient.error(wire.untilReady())).contains("C57014|").contains("changed my mind");
            assertThat(WireClient.error(copied(wire, "copy t from stdin", "1\n", "1\n")))
                    .contains("C23505|");
            // The rest of the rows is dropped, also behind the answer.
            begin(wire, "copy t from stdin");
            wire.send(out -> out.copyData(bytes("x\n")));
            wire.send(out -> out.copyDone());
            assertThat(WireClient.error(wire.untilReady())).contains("C22P02|").contains("line 1");
            wire.send(out -> {
                out.copyData(bytes("2\n".repeat(200_000)));
                out.copyDone();
            });
            assertThat(value(wire, "select count(*) from t")).isEqualTo("0");
            run(wire, "begin", "savepoint s");
            assertThat(WireClient.error(copied(wire, "copy t from stdin", "1\n1\n")))
                    .contains("C23505|");
            run(wire, "rollback to s");
            assertThat(WireClient.types(copied(wire, "copy t from stdin", "5\n")))
                    .isEqualTo("CZ");
            run(wire, "commit");
            assertThat(value(wire, "select id from t")).isEqualTo("5");
        }
    }

    @Test
    void whatTheOwnerMayNotDoIsRefused() throws IOException {
        String other = neighbour();
        try (WireClient wire = signedIn()) {
            run(wire, "create table t (id int)");
            for (String refused : List.of(
                    "copy t from '/etc/passwd'",
                    "copy t to program 'cat'",
                    "copy (select pg_read_file('/etc/passwd')) to stdout",
                    "copy storage.objects from stdin",
                    "copy realtime.messages from stdin",
                    "copy pg_catalog.pg_class from stdin",
                    "copy pg_authid to stdout",
                    "copy svc_platform.project to stdout",
                    "copy \"proj_" + other + "\".t to stdout",
                    "copy supabase_migrations.schema_migrations from stdin",
                    "copy t from stdin; select 1",
                    "do $$ begin execute 'copy t to stdout'; end $$",
                    "do $$ begin execute 'co' || 'py t to ''/tmp/x'''; end $$")) {
                List<WireClient.Message> answers = wire.query(refused);
                assertThat(WireClient.types(answers)).as(refused).isEqualTo("EZ");
            }
            // Row security does not hold for the owner, forced or not.
            run(wire, "create table mine (id int)", "insert into mine values (1), (2)");
            run(wire, "alter table mine enable row level security; alter table mine force row level security");
            run(wire, "create policy one on mine using (id = 1)");
            assertThat(rows(wire.query("copy mine to stdout"))).isEqualTo("1\n2\n");
        }
        try (WireClient reader = stranger("127.0.0.1")) {
            reader.signIn("supabase_read_only_user." + project.ref(), TestingPlatform.ADMIN);
            assertThat(WireClient.error(reader.query("copy t from stdin"))).contains("C25006|");
            assertThat(WireClient.types(reader.query("copy t to stdout"))).isEqualTo("HcCZ");
        }
    }

    @Test
    void aClientThatLeavesTakesItsRowsWithIt() throws IOException {
        try (WireClient wire = signedIn()) {
            run(wire, "create table t (id int)");
            begin(wire, "copy t from stdin");
            wire.send(out -> out.copyData(bytes("1\n")));
        }
        try (WireClient wire = signedIn()) {
            begin(wire, "copy t from stdin");
            wire.sendRaw(WireClient.typed('X', new byte[0]));
            assertThat(wire.isClosed()).isTrue();
        }
        try (WireClient wire = signedIn()) {
            begin(wire, "copy t from stdin");
            wire.send(out -> out.query("select 1"));
            assertThat(WireClient.error(wire.untilReady())).contains("C08P01|");
            assertThat(wire.isClosed()).isTrue();
        }
        try (WireClient wire = signedIn()) {
            // Waits for the others: each of them has held a lock on the table.
            assertThat(wire.query("lock table t in access exclusive mode; select count(*) from t")
                            .get(2)
                            .text())
                    .endsWith("0");
        }
    }

    /** Far more than the memory of the endpoint, and than a project may have of it. */
    @Test
    void rowsTakeNoMemoryHoweverManyTheyAre() throws IOException {
        try (WireClient wire = signedIn()) {
            run(wire, "create unlogged table t (note text)");
            begin(wire, "copy t from stdin");
            byte[] row = bytes("x".repeat(1 << 20) + "\n");
            for (int i = 0; i < 80; i++) {
                wire.send(out -> out.copyData(row));
            }
            wire.send(ClientMessages::copyDone);
            assertThat(WireClient.types(wire.untilReady())).isEqualTo("CZ");
            wire.send(out -> out.query("copy t to stdout"));
            assertThat(wire.next().type()).isEqualTo('H');
            long bytes = 0;
            WireClient.Message message = wire.next();
            for (; message.type() == 'd'; message = wire.next()) {
                bytes += message.content().length;
            }
            assertThat(bytes).isEqualTo(80L * row.length);
            assertThat(message.type()).isEqualTo('c');
            assertThat(WireClient.types(wire.untilReady())).isEqualTo("CZ");
        }
    }

    /** A server that waits until its notices are read takes no rows. */
    @Test
    void aTriggerThatRaisesNoticesHoldsNothingUp() throws IOException {
        try (WireClient wire = signedIn()) {
            run(
                    wire,
                    "create table t (id int)",
                    "create function tell() returns trigger language plpgsql as $$ begin"
                            + " raise notice '%', repeat('x', 2000); return new; end $$",
                    "create trigger tell before insert on t for each row execute function tell()");
            assertThat(WireClient.types(copied(wire, "copy t from stdin", "1\n".repeat(20_000))))
                    .isEqualTo("CZ");
        }
    }

    @Test
    void aCopyIsCancelled() throws IOException {
        try (WireClient wire = stranger("127.0.0.1")) {
            byte[] key = wire.signIn("postgres." + project.ref(), TestingPlatform.ADMIN).stream()
                    .filter(message -> message.type() == 'K')
                    .findFirst()
                    .orElseThrow()
                    .content();
            run(wire, "create table t (id int)");
            begin(wire, "copy t from stdin");
            wire.send(out -> out.copyData(bytes("1\n")));
            try (WireClient other = stranger("127.0.0.1")) {
                var numbers = java.nio.ByteBuffer.wrap(key);
                other.send(out -> out.cancelRequest(numbers.getInt(0), numbers.getInt(4)));
                assertThat(other.isClosed()).isTrue();
            }
            assertThat(WireClient.error(wire.untilReady())).contains("C57014|").contains("user request");
            assertThat(value(wire, "select count(*) from t")).isEqualTo("0");
        }
    }
}
