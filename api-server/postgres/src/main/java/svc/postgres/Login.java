package svc.postgres;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.postgresql.Driver;
import org.postgresql.PGProperty;
import org.postgresql.jdbc.PgConnection;
import svc.database.key.VaultKey;
import svc.database.network.ServerNetworks;
import svc.database.socket.BoundedSockets;
import svc.database.socket.SocketLimits;
import svc.database.socket.SocketLogin;
import svc.database.socket.SocketRules;
import svc.platform.tenancy.Tenant.DatabaseAddress.Server;
import svc.postgres.wire.ChannelSockets;
import svc.postgres.wire.LogSockets;
import svc.postgres.wire.LogTls;

/**
 * A login to one database. The password is computed for each connection and not kept.
 *
 * @param jdbcUrl the database, without credentials
 * @param user the login
 * @param password derives its password
 * @param server whether the platform or a tenant chose the server, which decides how much it is trusted
 * @param vaultKey the starting value of {@link VaultKey#SETTING}; empty for a login that is given none
 */
public record Login(String jdbcUrl, String user, Supplier<String> password, Server server, Supplier<String> vaultKey) {
    /** Connect timeout in seconds. */
    private static final String CONNECT_LIMIT = "5";

    /**
     * Statements a connection keeps prepared. A backend keeps the plan of each, some 20 to 100 KB, so a pod with 100
     * connections must not keep the driver's 256.
     */
    private static final String PREPARED_STATEMENTS = "64";

    /**
     * They override what ALTER ROLE … SET has stored: code of a tenant can store settings for its own login, and these
     * could end the next session, change its role or make it read-only. RESET ALL restores them.
     */
    private static final String STARTING_VALUES = "-c role=none -c local_preload_libraries= -c"
            + " default_transaction_read_only=off -c default_transaction_isolation=read\\ committed -c"
            + " default_transaction_deferrable=off -c standard_conforming_strings=on -c idle_session_timeout=0";

    /**
     * A session whose client is gone ends, instead of going on with what it does. Code of a tenant can lift it, so it is no
     * guarantee. Servers that a tenant chose may be too old to know it.
     */
    private static final String PLATFORM_STARTING_VALUES = STARTING_VALUES + " -c client_connection_check_interval=2s";

    /** Larger answers would exhaust the pod's memory: the driver fails the statement instead. */
    static final String RESULT_LIMIT = "64M";

    /** The same for connections that are driven without the driver. */
    public static final long RESULT_BYTES = 64L << 20;

    /** Seconds for each answer during the login: a server that is stopped accepts connections and never answers. */
    private static final int ANSWER_LIMIT = 10;

    /**
     * Seconds for the login as a whole to a server that a tenant chose: anything may listen there. Less than a caller waits
     * for a connection, which so learns that the server is at fault.
     */
    private static final String LOGIN_LIMIT = "8";

    /**
     * What the driver may receive at once from a server that a tenant chose: it keeps notifications and parameters, which
     * take many times their bytes.
     */
    private static final long DRIVER_BYTES = 16L << 20;

    /** What such a server may send of its log between two reports of its reader, which come each second. */
    private static final long LOG_BYTES = 256L << 20;

    private static final Executor SAME_THREAD = Runnable::run;

    /** A login of a server of the platform's. */
    public Login(String jdbcUrl, String user, Supplier<String> password) {
        this(jdbcUrl, user, password, Server.PLATFORM);
    }

    /** A login whose sessions unseal no secrets. */
    public Login(String jdbcUrl, String user, Supplier<String> password, Server server) {
        this(jdbcUrl, user, password, server, () -> "");
    }

    /**
     * A new connection whose statements are prepared on the server from their first use on. Its answers have no time
     * limit: what runs on it is watched by others.
     *
     * @throws SqlError of class 28 for a wrong password, 53300 when the role's limit is reached, 08 or 57P otherwise
     */
    public PgConnection open() {
        return open(Duration.ZERO);
    }

    /**
     * The same with a time limit.
     *
     * @param answer longest wait for an answer of the server, after which the connection is broken; zero for no limit
     */
    public PgConnection open(Duration answer) {
        return open(answer, DRIVER_BYTES, Optional.empty());
    }

    /**
     * The same with a time limit for transactions, which PostgreSQL knows from 17 on and refuses as 42704 before.
     *
     * @param answerBytes that a server that a tenant chose may send at once, notifications and notices included
     * @param transaction ends the session; code of a tenant can lift it
     */
    public PgConnection open(Duration answer, long answerBytes, Optional<Duration> transaction) {
        var properties = new Properties();
        PGProperty.USER.set(properties, user);
        PGProperty.PASSWORD.set(properties, password.get());
        PGProperty.APPLICATION_NAME.set(properties, "svc-api");
        PGProperty.CONNECT_TIMEOUT.set(properties, CONNECT_LIMIT);
        PGProperty.PREPARE_THRESHOLD.set(properties, "1");
        PGProperty.PREPARED_STATEMENT_CACHE_QUERIES.set(properties, PREPARED_STATEMENTS);
        PGProperty.MAX_RESULT_BUFFER.set(properties, RESULT_LIMIT);
        // Values travel without a type, so that PostgreSQL reads them as the type of the column they meet.
        PGProperty.STRING_TYPE.set(properties, "unspecified");
        String key = vaultKey.get();
        String values = (server == Server.PLATFORM ? PLATFORM_STARTING_VALUES : STARTING_VALUES)
                + (key.isEmpty() ? "" : " -c " + VaultKey.SETTING + "=" + key);
        PGProperty.OPTIONS.set(
                properties,
                transaction
                        .map(longest -> values + " -c transaction_timeout=" + longest.toMillis())
                        .orElse(values));
        PGProperty.SOCKET_TIMEOUT.set(properties, ANSWER_LIMIT);
        PGProperty.TCP_KEEP_ALIVE.set(properties, "true");
        PGProperty.SOCKET_FACTORY.set(properties, ChannelSockets.class.getName());
        // An event loop cannot decode what Kerberos has wrapped.
        PGProperty.GSS_ENC_MODE.set(properties, "disable");
        if (server == Server.CHOSEN_BY_TENANT) {
            guard(properties);
        }
        try (SocketLogin login = SocketLogin.begin(new SocketLimits(answerBytes, 0))) {
            String url = server == Server.CHOSEN_BY_TENANT ? ruledUrl(login) : jdbcUrl;
            // Not by DriverManager, which returns a driver only to the class loader that registered it.
            PgConnection opened = new Driver().connect(url, properties).unwrap(PgConnection.class);
            login.succeeded();
            opened.setNetworkTimeout(SAME_THREAD, (int) answer.toMillis());
            return opened;
        } catch (SQLException e) {
            throw SqlError.connecting(e);
        }
    }

    /**
     * A new connection that speaks the replication protocol too. It writes values in the forms that do not depend on a
     * session's settings: ISO dates in UTC, bytea in hex. Messages of a server that a tenant chose are not shortened: only a
     * process that serves no other project may read its log.
     *
     * @param answer longest wait for an answer of the server; zero for no limit
     * @throws SqlError as {@link #open()} does
     */
    public PgConnection replication(Duration answer) {
        var properties = new Properties();
        PGProperty.USER.set(properties, user);
        PGProperty.PASSWORD.set(properties, password.get());
        PGProperty.APPLICATION_NAME.set(properties, "svc-realtime");
        PGProperty.CONNECT_TIMEOUT.set(properties, CONNECT_LIMIT);
        PGProperty.SOCKET_TIMEOUT.set(properties, ANSWER_LIMIT);
        PGProperty.TCP_KEEP_ALIVE.set(properties, "true");
        PGProperty.GSS_ENC_MODE.set(properties, "disable");
        PGProperty.SOCKET_FACTORY.set(properties, LogSockets.class.getName());
        PGProperty.SSL_FACTORY.set(properties, LogTls.class.getName());
        PGProperty.REPLICATION.set(properties, "database");
        PGProperty.PREFER_QUERY_MODE.set(properties, "simple");
        PGProperty.ASSUME_MIN_SERVER_VERSION.set(properties, "17");
        // A reader whose machine has vanished makes room for the next one soon.
        PGProperty.OPTIONS.set(properties, STARTING_VALUES + " -c wal_sender_timeout=10s");
        if (server == Server.CHOSEN_BY_TENANT) {
            guard(properties);
        }
        try (SocketLogin login = SocketLogin.begin(new SocketLimits(LOG_BYTES, 0))) {
            String url = server == Server.CHOSEN_BY_TENANT ? ruledUrl(login) : jdbcUrl;
            PgConnection opened = new Driver().connect(url, properties).unwrap(PgConnection.class);
            login.succeeded();
            try (var statement = opened.createStatement()) {
                // The driver has set the zone of this machine.
                statement.execute("SET timezone = 'UTC'; SET datestyle = 'ISO, YMD'; SET intervalstyle = 'postgres';"
                        + " SET bytea_output = 'hex'");
            }
            opened.setNetworkTimeout(SAME_THREAD, (int) answer.toMillis());
            return opened;
        } catch (SQLException e) {
            throw SqlError.connecting(e);
        }
    }

    /** The checks that a server needs that a tenant chose. */
    private static void guard(Properties properties) {
        PGProperty.AUTHENTICATION_PLUGIN_CLASS_NAME.set(properties, GuardedPassword.class.getName());
        PGProperty.LOGIN_TIMEOUT.set(properties, LOGIN_LIMIT);
        PGProperty.SOCKET_TIMEOUT.set(properties, LOGIN_LIMIT);
        PGProperty.SOCKET_FACTORY.set(properties, BoundedSockets.class.getName());
    }

    /**
     * The URL with the rules for a server that a tenant chose. Its own parameter has the allowed networks; without it,
     * loopback and link-local addresses are closed. Parameters of a URL precede properties, and the last of a name counts.
     */
    private String ruledUrl(SocketLogin login) {
        Properties parsed = Objects.requireNonNull(Driver.parseURL(jdbcUrl, null), "no JDBC URL of PostgreSQL");
        String networks = PGProperty.SOCKET_FACTORY_ARG.getOrDefault(parsed);
        var rules = new SocketRules(
                login.argument(),
                networks == null ? new ServerNetworks(List.of(), List.of()) : ServerNetworks.parse(networks));
        String separator = jdbcUrl.contains("?") ? "&" : "?";
        return jdbcUrl + separator + PGProperty.SOCKET_FACTORY_ARG.getName() + "="
                + URLEncoder.encode(rules.argument(), StandardCharsets.UTF_8);
    }

    /** Without the password and the key. */
    @Override
    public String toString() {
        return user + " at " + jdbcUrl;
    }
}
