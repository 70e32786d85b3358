package svc.standalone;

import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.StringJoiner;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import svc.database.key.KeyKind;
import svc.embedded.process.FreePort;

/**
 * {@code ./svc up}: starts the servers, then operator and API server in this process; SIGTERM stops everything in reverse
 * order.
 */
@QuarkusMain
public final class Standalone {
    private static final int FAILED = 1;
    private static final int USAGE = 2;
    private static final long STOP_TIMEOUT_SECONDS = 60;

    private Standalone() {}

    /** Exit code 1 when something cannot start, 2 for a wrong option; the message says what to do. */
    public static void main(String[] arguments) {
        Options options;
        try {
            options = Options.parse(List.of(arguments));
        } catch (IllegalArgumentException e) {
            System.err.println("svc: " + e.getMessage());
            System.exit(USAGE);
            return;
        }
        try {
            System.exit(run(options));
        } catch (IOException | RuntimeException e) {
            System.err.println("svc: " + e.getMessage());
            System.exit(FAILED);
        }
    }

    private static int run(Options options) throws IOException {
        // The JVM exits when all shutdown hooks are done: this one waits until the servers have stopped.
        var stopped = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> await(stopped), "await-servers"));
        try {
            requireFree(
                    options.port(),
                    "another with --port (the gateway takes that port, the Kubernetes API the one after it)");
            requireFree(
                    LocalPort.KUBERNETES.behind(options.port()),
                    "another with --port (the Kubernetes API takes the port after it)");
            if (options.postgresPort().isPresent()) {
                requireFree(options.postgresPort().getAsInt(), "another with --postgres-port");
            }
            var progress = new Progress(System.out);
            try (DataFolder folder = DataFolder.take(options.data());
                    LocalServers servers = LocalServers.start(folder, options.port(), progress)) {
                String token = folder.secret("admin.token", Standalone::newToken);
                configure(options, folder, servers, token);
                progress.step("operator and API server");
                var connection = Connection.of(
                        options.port(), token, servers.kubeconfig(), servers.mailPage(), servers.graphqlPage());
                Announcement.prepare(folder, connection, progress);
                var result = new AtomicInteger();
                Quarkus.run(Announcement.class, (code, error) -> {
                    result.set(code);
                    if (error != null) {
                        System.err.println("svc: " + causes(error));
                    }
                });
                return result.get();
            }
        } finally {
            stopped.countDown();
        }
    }

    /** The messages of a failure and its causes, outermost first: the last one says what to do. */
    private static String causes(Throwable failure) {
        var messages = new StringJoiner("\n  because: ");
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            messages.add(cause.getMessage() == null ? cause.toString() : cause.getMessage());
        }
        return messages.toString();
    }

    private static void configure(Options options, DataFolder folder, LocalServers servers, String token)
            throws IOException {
        var client = servers.kubernetes().clientConfig();
        String masterKey = folder.secret("master.key", () -> {
            byte[] key = new byte[32];
            new SecureRandom().nextBytes(key);
            return Base64.getEncoder().encodeToString(key);
        });
        PlatformSettings.of(new PlatformSettings.Addresses(
                        options.port(),
                        options.postgresPort()
                                .orElseGet(() -> FreePort.preferring(LocalPort.POSTGRES.behind(options.port()))),
                        servers.postgres().jdbcUrl(LocalServers.DATABASE),
                        servers.postgres().operatorPassword(),
                        servers.redis().url(),
                        servers.kubernetes().url(),
                        servers.kubernetes().token(),
                        client.getCaCertData(),
                        masterKey,
                        token,
                        servers.s3().endpoint().toString(),
                        servers.s3().credentials(),
                        servers.mail().port(),
                        servers.sockets().toString(),
                        servers.sidecars()))
                // System properties of the command line win.
                .forEach(System.getProperties()::putIfAbsent);
    }

    private static String newToken() {
        byte[] secret = new byte[32];
        new SecureRandom().nextBytes(secret);
        return KeyKind.PAT.format().encode(secret);
    }

    private static void requireFree(int port, String choose) throws IOException {
        try {
            bind(port);
        } catch (IOException e) {
            throw new IOException("port " + port + " is in use. Stop what listens there, or choose " + choose + ".", e);
        }
    }

    private static void bind(int port) throws IOException {
        try (var socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port));
        }
    }

    private static void await(CountDownLatch stopped) {
        try {
            if (!stopped.await(STOP_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                System.err.println("svc: the servers did not stop within " + STOP_TIMEOUT_SECONDS + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
