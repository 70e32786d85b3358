package svc.embedded.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;
import svc.embedded.process.Folders;
import svc.embedded.process.FreePort;

/**
 * A PostgreSQL server as a child of this process, on the loopback interface only, every login by SCRAM.
 *
 * <p>Its superuser is {@link #OPERATOR}. A start first stops a server that a killed parent left running on the same data, so no two
 * servers ever run on one folder.
 */
public final class EmbeddedPostgres implements AutoCloseable {
    /** The superuser, and the login that the operator provisions with (DESIGN §4). */
    public static final String OPERATOR = "svc_operator";

    /** Crash recovery can take minutes on a slow disk. */
    private static final Duration START_TIMEOUT = Duration.ofMinutes(4);

    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(30);

    private final Settings settings;
    private final Unprivileged unprivileged;
    private final PostgresBinaries binaries;
    private final Path data;
    private final int port;
    private final String operatorPassword;
    private final Process process;

    private EmbeddedPostgres(Settings settings) throws IOException, InterruptedException {
        this.settings = settings;
        this.unprivileged = Unprivileged.detect();
        this.binaries = PostgresBinaries.unpack();
        this.data = settings.folder().resolve("data");
        Files.createDirectories(settings.folder());
        new PidFile(data).stopServer(STOP_TIMEOUT);
        this.port = settings.port() == 0 ? rememberedPort() : settings.port();
        if (!Files.exists(data.resolve("PG_VERSION"))) {
            initialise();
        }
        this.operatorPassword = Files.readString(passwordFile()).strip();
        this.process = launch();
        awaitReady();
    }

    /**
     * Starts a server, creating its data on the first start.
     *
     * @throws IllegalStateException with the end of the server's log if it does not come up within four minutes
     */
    public static EmbeddedPostgres start(Settings settings) {
        try {
            return new EmbeddedPostgres(settings);
        } catch (IOException e) {
            throw new UncheckedIOException("while starting PostgreSQL in " + settings.folder(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while starting PostgreSQL", e);
        }
    }

    /** The one server that all tests of this JVM share; each test makes databases of its own in it. */
    public static EmbeddedPostgres shared() {
        return Shared.SERVER;
    }

    public int port() {
        return port;
    }

    /** The process id of the running server; empty once it is stopped. */
    public Optional<Long> processId() {
        return process.isAlive() ? Optional.of(process.pid()) : Optional.empty();
    }

    public String operatorPassword() {
        return operatorPassword;
    }

    public String jdbcUrl(String database) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + database;
    }

    /** A new connection as the superuser; the caller closes it. */
    public Connection connect(String database) throws SQLException {
        return connect(database, OPERATOR, operatorPassword);
    }

    /** A new connection of any login; the caller closes it. */
    public Connection connect(String database, String user, String password) throws SQLException {
        // Not DriverManager: it finds drivers of the caller's class loader only.
        return dataSource(database, user, password).getConnection();
    }

    /** Unpooled connections as the superuser. */
    public DataSource dataSource(String database) {
        return dataSource(database, OPERATOR, operatorPassword);
    }

    /** Unpooled connections of any login. */
    public DataSource dataSource(String database, String user, String password) {
        var source = new PGSimpleDataSource();
        source.setURL(jdbcUrl(database));
        source.setUser(user);
        source.setPassword(password);
        return source;
    }

    /** Creates an empty database with a name of its own that begins with {@code prefix}, and returns that name. */
    public String createDatabase(String prefix) {
        return createDatabase(prefix, "template0");
    }

    /** Creates a copy of {@code template} (which must have no open connections) and returns the new database's name. */
    public String createDatabase(String prefix, String template) {
        String name = prefix + "_" + HexFormat.of().toHexDigits(new SecureRandom().nextInt());
        try (Connection connection = connect("postgres");
                var statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + statement.enquoteIdentifier(name, true) + " TEMPLATE "
                    + statement.enquoteIdentifier(template, true));
            return name;
        } catch (SQLException e) {
            throw new IllegalStateException("while creating the database " + name, e);
        }
    }

    /** Stops the server with a fast shutdown: open transactions are rolled back, everything committed is kept. */
    @Override
    public void close() {
        try {
            if (settings.temporary()) {
                new PidFile(data).dropServer(STOP_TIMEOUT);
            } else {
                new PidFile(data).stopServer(STOP_TIMEOUT);
            }
            process.waitFor(STOP_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
            if (settings.temporary()) {
                Folders.deleteRecursively(settings.folder());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("while stopping PostgreSQL in " + data, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Path passwordFile() {
        return settings.folder().resolve("operator.password");
    }

    private Path logFile() {
        return settings.folder().resolve("postgres.log");
    }

    /** The port of the previous start if it is free: configurations refer to it. */
    private int rememberedPort() throws IOException {
        Path file = settings.folder().resolve("port");
        int last = Files.exists(file) ? Integer.parseInt(Files.readString(file).strip()) : 0;
        int free = FreePort.preferring(last);
        if (free != last) {
            Files.writeString(file, free + "\n");
        }
        return free;
    }

    private void initialise() throws IOException, InterruptedException {
        // Data without PG_VERSION is from an interrupted first start: safe to delete.
        Folders.deleteRecursively(data);
        Files.createDirectories(data);
        Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwx------"));
        byte[] secret = new byte[24];
        new SecureRandom().nextBytes(secret);
        Files.deleteIfExists(passwordFile());
        Files.createFile(
                passwordFile(), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(passwordFile(), HexFormat.of().formatHex(secret));
        unprivileged.handOver(settings.folder());
        var command = new ArrayList<>(List.of(
                binaries.program("initdb"),
                "--pgdata=" + data,
                "--username=" + OPERATOR,
                "--pwfile=" + passwordFile(),
                "--auth=scram-sha-256",
                "--encoding=UTF8",
                "--locale-provider=builtin",
                "--builtin-locale=C.UTF-8",
                "--locale=C"));
        // One syncfs call, which also flushes other data of that file system, instead of fsync for each of a thousand
        // files.
        command.add(settings.durable() ? "--sync-method=syncfs" : "--no-sync");
        Process initdb = spawn(command);
        if (!initdb.waitFor(START_TIMEOUT.toSeconds(), TimeUnit.SECONDS) || initdb.exitValue() != 0) {
            initdb.destroyForcibly();
            throw new IllegalStateException("PostgreSQL could not create its data in " + data + logTail());
        }
    }

    private Process launch() throws IOException {
        var parameters = new TreeMap<String, String>();
        parameters.put("listen_addresses", "127.0.0.1");
        parameters.put("port", Integer.toString(port));
        parameters.put("unix_socket_directories", "");
        parameters.put("wal_level", "logical");
        // A slot that nothing reads must not fill the disk.
        parameters.put("max_slot_wal_keep_size", "2GB");
        parameters.put("max_connections", "300");
        // For the platform's own logins, whatever the projects' take.
        parameters.put("reserved_connections", "20");
        // Dropping a project takes a lock on each of its objects within one transaction.
        parameters.put("max_locks_per_transaction", "256");
        parameters.put("jit", "off");
        String durability = settings.durable() ? "on" : "off";
        parameters.put("fsync", durability);
        // After a crash one call for the file system, not one for each file of thousands of projects.
        parameters.put("recovery_init_sync_method", "syncfs");
        parameters.put("synchronous_commit", durability);
        parameters.put("full_page_writes", durability);
        parameters.putAll(settings.parameters());
        var command = new ArrayList<>(List.of(binaries.program("postgres"), "-D", data.toString()));
        parameters.forEach((name, value) -> command.addAll(List.of("-c", name + "=" + value)));
        return spawn(command);
    }

    private Process spawn(List<String> command) throws IOException {
        return new ProcessBuilder(unprivileged.command(command))
                .directory(settings.folder().toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(logFile().toFile()))
                .start();
    }

    private void awaitReady() throws IOException, InterruptedException {
        Instant limit = Instant.now().plus(START_TIMEOUT);
        while (!new PidFile(data).saysReady(process.pid())) {
            if (!process.isAlive() || Instant.now().isAfter(limit)) {
                process.destroyForcibly();
                throw new IllegalStateException("PostgreSQL did not start on port " + port + logTail());
            }
            Thread.sleep(10);
        }
    }

    private String logTail() {
        try {
            List<String> lines = Files.readAllLines(logFile());
            return ":\n" + String.join("\n", lines.subList(Math.max(0, lines.size() - 15), lines.size()));
        } catch (IOException e) {
            return " (and its log cannot be read: " + e.getMessage() + ")";
        }
    }

    /**
     * Folder, port and durability of a server.
     *
     * @param folder holds {@code data}, {@code postgres.log}, {@code port} and {@code operator.password}
     * @param port of the loopback interface; 0 for any free one, and the same again on the next start if it still is
     * @param durable whether a committed transaction survives a crash of the machine
     * @param temporary whether {@link EmbeddedPostgres#close} removes the folder
     * @param parameters server parameters that are added to ours or replace them
     */
    public record Settings(Path folder, int port, boolean durable, boolean temporary, Map<String, String> parameters) {
        public Settings {
            folder = folder.toAbsolutePath();
            parameters = Map.copyOf(parameters);
        }

        /** Durable data, on the given port. */
        public static Settings lasting(Path folder, int port) {
            return new Settings(folder, port, true, false, Map.of());
        }

        /** Temporary data, deleted with the server; fast instead of durable. */
        public static Settings forTests() {
            try {
                return new Settings(Files.createTempDirectory("svc-postgres-data-"), 0, false, true, Map.of());
            } catch (IOException e) {
                throw new UncheckedIOException("while making a folder for test data", e);
            }
        }

        /** The same settings with server parameters added. */
        public Settings with(Map<String, String> added) {
            var all = new TreeMap<>(parameters);
            all.putAll(added);
            return new Settings(folder, port, durable, temporary, all);
        }
    }

    private static final class Shared {
        private static final EmbeddedPostgres SERVER = startShared();

        private static EmbeddedPostgres startShared() {
            var server = EmbeddedPostgres.start(Settings.forTests());
            Runtime.getRuntime().addShutdownHook(new Thread(server::close, "stop-shared-postgres"));
            return server;
        }
    }
}
