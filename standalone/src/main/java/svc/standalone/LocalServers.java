package svc.standalone;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HexFormat;
import java.util.Optional;
import svc.embedded.graphql.GraphqlPage;
import svc.embedded.kubernetes.EmbeddedKubernetes;
import svc.embedded.mail.EmbeddedMail;
import svc.embedded.mail.MailPage;
import svc.embedded.pods.PodRunner;
import svc.embedded.pods.SidecarRunner;
import svc.embedded.postgres.EmbeddedPostgres;
import svc.embedded.process.FreePort;
import svc.embedded.redis.EmbeddedRedis;
import svc.embedded.s3.EmbeddedS3;
import svc.platform.process.SandboxHome;

/**
 * The servers that a cluster would provide, on one data folder: PostgreSQL, Redis, S3, a mail catcher, the Kubernetes API with
 * the CustomResourceDefinitions installed, and the runner of functions. They stop in reverse order.
 */
final class LocalServers implements AutoCloseable {
    /** The database that holds all projects of this machine. */
    static final String DATABASE = "svc";

    /** The namespace of projects created through {@code /v1}. */
    static final String NAMESPACE = "svc";

    /** The packaged API server, if it is not where the source tree has it. */
    private static final String API_SERVER = "svc.api-server.jar";

    private static final int SECRET_BYTES = 32;

    private final Deque<AutoCloseable> running = new ArrayDeque<>();
    private final Progress progress;
    private final EmbeddedPostgres postgres;
    private final EmbeddedRedis redis;
    private final EmbeddedS3 s3;
    private final EmbeddedMail mail;
    private final MailPage mailPage;
    private final GraphqlPage graphqlPage;
    private final EmbeddedKubernetes kubernetes;
    private final Path kubeconfig;
    private final PodRunner pods;
    private final boolean sidecars;

    private LocalServers(DataFolder folder, int port, Progress progress) throws IOException {
        this.progress = progress;
        try {
            progress.step("PostgreSQL");
            this.postgres =
                    started(EmbeddedPostgres.start(EmbeddedPostgres.Settings.lasting(folder.file("postgres"), 0)));
            createDatabase();
            progress.step("Redis");
            this.redis = started(EmbeddedRedis.lasting(folder.file("redis"), FreePort.find()));
            progress.step("S3");
            var credentials =
                    new EmbeddedS3.Credentials("svc", folder.secret("s3.secret", () -> randomText(SECRET_BYTES)));
            this.s3 = started(EmbeddedS3.lasting(folder.file("s3"), 0, credentials));
            progress.step("mail");
            this.mail = started(EmbeddedMail.start(EmbeddedMail.Settings.open(0)));
            this.mailPage = started(MailPage.start(mail, FreePort.preferring(LocalPort.MAIL_PAGE.behind(port))));
            this.graphqlPage =
                    started(GraphqlPage.start(port, FreePort.preferring(LocalPort.GRAPHQL_PAGE.behind(port))));
            progress.step("Kubernetes API");
            this.kubernetes = started(EmbeddedKubernetes.start(new EmbeddedKubernetes.Settings(
                    Optional.of(folder.file("kubernetes")), LocalPort.KUBERNETES.behind(port))));
            this.kubeconfig = kubernetes.kubeconfig(folder.file("kubeconfig"));
            new KindInstallation(kubernetes.clientConfig(), progress).apply();
            progress.step("functions");
            this.pods = started(PodRunner.start(
                    kubernetes,
                    new PodRunner.Settings(
                            FunctionsFolder.of(folder.file("")),
                            sandbox(),
                            Optional.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)),
                            PlatformSettings.DATA_HOST)));
            progress.step("realtime sidecars");
            Optional<Path> apiServer = apiServer();
            this.sidecars = apiServer.isPresent();
            if (sidecars) {
                started(SidecarRunner.start(kubernetes, apiServer.get(), folder.file("sidecars")));
            }
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    /**
     * Starts all of them; returns when each takes requests.
     *
     * @param port of the gateway, which starts later; the Kubernetes API takes the one after it
     * @throws IOException when a port is in use or the folder cannot be used; the servers started so far are stopped
     */
    static LocalServers start(DataFolder folder, int port, Progress progress) throws IOException {
        return new LocalServers(folder, port, progress);
    }

    EmbeddedPostgres postgres() {
        return postgres;
    }

    EmbeddedRedis redis() {
        return redis;
    }

    EmbeddedS3 s3() {
        return s3;
    }

    /** The SMTP port for projects without a mail server of their own. */
    EmbeddedMail mail() {
        return mail;
    }

    /** The page that shows caught mails. */
    URI mailPage() {
        return mailPage.address();
    }

    /** The page that asks the GraphQL APIs of projects. */
    URI graphqlPage() {
        return graphqlPage.address();
    }

    EmbeddedKubernetes kubernetes() {
        return kubernetes;
    }

    /** The folder of the sockets that functions take requests on. */
    Path sockets() {
        return pods.sockets();
    }

    /** Whether realtime sidecars can run: the packaged API server is beside this program. */
    boolean sidecars() {
        return sidecars;
    }

    Path kubeconfig() {
        return kubeconfig;
    }

    /** Random bytes in hex, for a secret. */
    static String randomText(int bytes) {
        byte[] secret = new byte[bytes];
        new SecureRandom().nextBytes(secret);
        return HexFormat.of().formatHex(secret);
    }

    @Override
    public void close() {
        while (!running.isEmpty()) {
            try {
                running.pop().close();
            } catch (Exception e) {
                // Continue: the other servers must stop too.
                progress.note("while stopping: " + e.getMessage());
            }
        }
    }

    private <T extends AutoCloseable> T started(T server) {
        running.push(server);
        return server;
    }

    /** Of the source tree that the sandbox belongs to; a setting may name another one. */
    private static Optional<Path> apiServer() {
        Path jar = Optional.ofNullable(System.getProperty(API_SERVER))
                .map(Path::of)
                .orElseGet(() -> sandbox().resolveSibling("api-server/server/target/quarkus-app/quarkus-run.jar"));
        return Optional.of(jar).filter(Files::isRegularFile);
    }

    private static Path sandbox() {
        return SandboxHome.find(Optional.ofNullable(System.getProperty(SandboxHome.SETTING))
                        .map(Path::of))
                .folder();
    }

    private void createDatabase() throws IOException {
        try (Connection connection = postgres.connect("postgres");
                var exists = connection.prepareStatement("SELECT 1 FROM pg_database WHERE datname = ?")) {
            exists.setString(1, DATABASE);
            try (var rows = exists.executeQuery()) {
                if (rows.next()) {
                    return;
                }
            }
            try (var create = connection.createStatement()) {
                create.execute("CREATE DATABASE " + DATABASE);
            }
        } catch (SQLException e) {
            throw new IOException("while creating the database " + DATABASE, e);
        }
    }
}
