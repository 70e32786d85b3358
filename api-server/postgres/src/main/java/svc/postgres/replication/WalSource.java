package svc.postgres.replication;

import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.postgresql.Driver;
import org.postgresql.PGProperty;
import org.postgresql.jdbc.PgConnection;
import org.postgresql.replication.LogSequenceNumber;
import svc.database.shared.PublicationPart;
import svc.database.shared.StandingSlot;
import svc.database.sql.Literal;
import svc.platform.tenancy.Tenant;
import svc.platform.tenancy.Tenant.DatabaseAddress;
import svc.postgres.Login;
import svc.postgres.SqlError;

/**
 * A database whose log is read through one replication slot: a shared one as {@code svc_replication}, a dedicated one as its
 * project's own login. A slot has one reader at a time:
 * the server refuses a second one, and so elects. Blocks; every method throws {@link SqlError}.
 *
 * @param slot its name is the server's, so it must differ between the server's databases
 * @param publications those of the tables whose changes are read
 */
public record WalSource(Login login, String slot, List<String> publications) {
    private static final String MESSAGES = "svc_realtime_messages";
    private static final List<String> PUBLICATIONS = List.of("svc_realtime", MESSAGES);

    /**
     * A large transaction comes in blocks of this size, and is found to be one by the first. A smaller setting of the server or of
     * the login stays.
     */
    private static final String LITTLE_MEMORY =
            "SELECT pg_catalog.set_config('logical_decoding_work_mem', '16MB', false)"
                    + " WHERE pg_catalog.pg_size_bytes(pg_catalog.current_setting('logical_decoding_work_mem')) > 16 << 20";

    /** Ends the name of a slot's copy. */
    private static final String COPY = "_beside";

    /** The platform login that may read the log. */
    public static final String LOGIN = "svc_replication";

    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(10);

    /** A slot becomes consistent when the transactions that write now have ended. */
    private static final Duration CREATION_LIMIT = Duration.ofSeconds(60);

    private static final String ALREADY_THERE = "42710";
    private static final String NOT_THERE = "42704";

    public WalSource {
        publications = List.copyOf(publications);
    }

    /**
     * A shared database, with the publications of its projects.
     *
     * @param password derives the password of {@link #LOGIN}; asked for each new connection
     */
    public static WalSource shared(DatabaseAddress address, Supplier<String> password) {
        String url = address.forPlatformLogins().jdbcUrl();
        Properties parsed = Objects.requireNonNull(Driver.parseURL(url, null), "no JDBC URL of PostgreSQL");
        return new WalSource(
                new Login(url, LOGIN, password),
                StandingSlot.nameOf(PGProperty.PG_DBNAME.getOrDefault(parsed)),
                PUBLICATIONS);
    }

    /**
     * The database of one project alone.
     *
     * @param password derives the password of the project's login for its log; asked for each new connection
     */
    public static WalSource dedicated(Tenant tenant, Supplier<String> password) {
        DatabaseAddress address = tenant.database();
        return new WalSource(
                new Login(address.jdbcUrl(), tenant.names().replication().name(), password, address.server()),
                tenant.names().replicationSlot(),
                PUBLICATIONS);
    }

    /** Whether it is a database of many projects. */
    public boolean isShared() {
        return login.user().equals(LOGIN);
    }

    /** A connection that watches the slot; the caller closes it. @throws SqlError when it cannot be made */
    public SlotConnection open() {
        return new SlotConnection(login.open(ANSWER_LIMIT), slot);
    }

    /** Creates the slot, unless it is there: it has all that commits from now on. */
    public void create() {
        try (PgConnection connection = login.replication(CREATION_LIMIT)) {
            connection
                    .getReplicationAPI()
                    .createReplicationSlot()
                    .logical()
                    .withSlotName(slot)
                    .withOutputPlugin("pgoutput")
                    .make();
        } catch (SQLException e) {
            ignore(e, ALREADY_THERE);
        }
    }

    /** Drops the slot, if it is there. @throws SqlError 55006 while it is read */
    public void drop() {
        try (PgConnection connection = login.replication(ANSWER_LIMIT)) {
            connection.getReplicationAPI().dropReplicationSlot(slot);
        } catch (SQLException e) {
            ignore(e, NOT_THERE);
        }
    }

    private static void ignore(SQLException e, String state) {
        if (!state.equals(e.getSQLState())) {
            throw SqlError.of(e);
        }
    }

    /** Begins to read where the slot was last confirmed. @throws SqlError 55006 while another one reads it */
    public WalStream stream() {
        return stream(0, Streaming.OFF);
    }

    /**
     * Begins to read where the slot was last confirmed, or further on.
     *
     * @param from transactions that commit before this byte of the log are not read; 0 for all
     * @throws SqlError 55006 while another one reads it
     */
    public WalStream stream(long from, Streaming streaming) {
        PgConnection connection = login.replication(Duration.ZERO);
        try {
            return start(connection, slot, publications, from, streaming);
        } catch (SQLException e) {
            close(connection);
            throw SqlError.of(e);
        }
    }

    /**
     * Begins to read a shared database's log beside the stream of the slot, from where that is confirmed, through a copy of the
     * slot that is gone with this stream.
     *
     * @param parts the published tables that it has; messages come in any case
     * @throws SqlError also when there is no such slot, or the server has no place for a copy
     */
    public WalStream beside(Set<PublicationPart> parts) {
        PgConnection connection = login.replication(Duration.ZERO);
        try {
            String copy = slot + COPY;
            try (Statement statement = connection.createStatement()) {
                statement.execute("SELECT svc_functions.realtime_copy_slot("
                        + Literal.of(slot).sql() + ", " + Literal.of(copy).sql() + ")");
            }
            List<String> names = Stream.concat(
                            parts.stream().map(PublicationPart::publication).sorted(), Stream.of(MESSAGES))
                    .toList();
            return start(connection, copy, names, 0, Streaming.ON);
        } catch (SQLException e) {
            close(connection);
            throw SqlError.of(e);
        }
    }

    private static WalStream start(
            PgConnection connection, String slot, List<String> publications, long from, Streaming streaming)
            throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(LITTLE_MEMORY);
        }
        return new WalStream(
                connection,
                connection
                        .getReplicationAPI()
                        .replicationStream()
                        .logical()
                        .withSlotName(slot)
                        .withStartPosition(LogSequenceNumber.valueOf(from))
                        .withSlotOption("proto_version", "2")
                        .withSlotOption("streaming", streaming == Streaming.ON)
                        .withSlotOption("publication_names", String.join(",", publications))
                        .withStatusInterval(1, TimeUnit.SECONDS)
                        .start());
    }

    private static void close(PgConnection connection) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException e) {
            throw SqlError.of(e);
        }
    }
}
