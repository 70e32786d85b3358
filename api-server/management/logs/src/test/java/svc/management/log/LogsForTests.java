package svc.management.log;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import svc.database.key.Purpose;
import svc.database.platform.PlatformSchema;
import svc.embedded.postgres.EmbeddedPostgres;
import svc.platform.process.SandboxHome;
import svc.platform.projectlog.LogConfig;
import svc.postgres.jdbc.PlatformDatabase;
import svc.postgres.pool.PoolSettings;
import svc.sqlgate.parser.ParserLimits;
import svc.sqlgate.parser.ParserPool;
import svc.sqlgate.parser.SqlReader;
import svc.testing.TestingKeys;

/** A platform's database with logs, read and written as the control plane does. */
final class LogsForTests implements AutoCloseable {
    static final Instant NOW = Instant.parse("2030-06-15T12:00:00Z");

    private static final EmbeddedPostgres SERVER = EmbeddedPostgres.shared();

    private final String name;
    private final PlatformDatabase database;
    private final ParserPool parsers =
            new ParserPool(() -> SandboxHome.find(Optional.empty()), ParserLimits.defaults());
    final LogReads reads;

    LogsForTests(String name) {
        this.name = SERVER.createDatabase(name);
        PlatformSchema.migrate(SERVER.dataSource(this.name));
        sql("ALTER ROLE svc_platform PASSWORD '"
                + TestingKeys.platformLogin(Purpose.LOGIN_PLATFORM).scramVerifier() + "'");
        this.database = new PlatformDatabase(
                SERVER.jdbcUrl(this.name),
                () -> TestingKeys.platformLogin(Purpose.LOGIN_PLATFORM).password(),
                PoolSettings.defaults().withCap(8));
        this.reads = new LogReads(database, config(Optional.empty()), new SimpleMeterRegistry());
    }

    /** A store whose clock stands at a time. */
    LogStore storeAt(Instant now) {
        return LogStore.of(database, clock(now));
    }

    LogQueries queries() {
        return new LogQueries(new SqlReader(parsers), reads, clock(NOW));
    }

    LogLines lines() {
        return new LogLines(reads, clock(NOW));
    }

    private static Clock clock(Instant now) {
        return Clock.fixed(now, ZoneOffset.UTC);
    }

    /** As the superuser. */
    String sql(String text) {
        try (Connection connection = SERVER.connect(name);
                var statement = connection.createStatement()) {
            if (!statement.execute(text)) {
                return "";
            }
            var result = statement.getResultSet();
            return result.next() ? result.getString(1) : "";
        } catch (SQLException e) {
            throw new IllegalStateException(text, e);
        }
    }

    /** A batch of one line. */
    static String message(UUID project, Instant at, int source, int severity, String text) {
        return "[{\"p\":\"%s\",\"s\":%d,\"v\":%d,\"t\":%d,\"m\":\"%s\",\"a\":{\"sqlstate\":\"42501\"}}]"
                .formatted(project, source, severity, at.toEpochMilli() * 1000, text);
    }

    /** A batch of one request. */
    static String request(UUID project, Instant at, int source, String path, int status, long micros) {
        return ("[{\"p\":\"%s\",\"s\":%d,\"v\":%d,\"t\":%d,\"r\":\"req-1\",\"q\":\"GET\",\"h\":\"%s\",\"c\":%d,\"d\":%d,\"b\":10,"
                        + "\"u\":\"agent\"}]")
                .formatted(project, source, status < 400 ? 1 : 2, at.toEpochMilli() * 1000, path, status, micros);
    }

    @Override
    public void close() {
        database.close();
        parsers.close();
    }

    /** @param receiver of OTLP */
    static LogConfig config(Optional<String> receiver) {
        return new LogConfig() {
            @Override
            public boolean enabled() {
                return true;
            }

            @Override
            public boolean requests() {
                return true;
            }

            @Override
            public int queue() {
                return 100;
            }

            @Override
            public int projectQueue() {
                return 100;
            }

            @Override
            public int projectRate() {
                return 100;
            }

            @Override
            public int projectBurst() {
                return 100;
            }

            @Override
            public long projectLines() {
                return 100;
            }

            @Override
            public long projectBytes() {
                return 1 << 20;
            }

            @Override
            public Duration queryTimeout() {
                return Duration.ofSeconds(2);
            }

            @Override
            public int queries() {
                return 4;
            }

            @Override
            public int followers() {
                return 10;
            }

            @Override
            public Duration followTime() {
                return Duration.ofSeconds(2);
            }

            @Override
            public Otlp otlp() {
                return new Otlp() {
                    @Override
                    public Optional<String> endpoint() {
                        return receiver;
                    }

                    @Override
                    public Map<String, String> headers() {
                        return Map.of("x-receiver-key", "of the receiver");
                    }
                };
            }
        };
    }
}
