package svc.standalone;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.javaoperatorsdk.operator.Operator;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.QuarkusApplication;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import svc.management.postgres.PostgresEndpoint;
import svc.operator.assembly.OperatorAssembly;

/** Waits until the platform answers authenticated requests, then writes its addresses to the terminal and to
 * {@code connection.json}. */
public final class Announcement implements QuarkusApplication {
    /** The name of the file in the data folder. */
    static final String FILE = "connection.json";

    private static final Duration READY_TIMEOUT = Duration.ofSeconds(90);
    private static final AtomicReference<Prepared> PREPARED = new AtomicReference<>();

    private final DataFolder folder;
    private final Connection connection;
    private final Progress progress;
    private final Operator operator;
    private final OperatorAssembly assembly;
    private final PostgresEndpoint postgres;

    /** For Quarkus, which creates the application itself: hands over the arguments of {@link #prepare}. */
    @Inject
    public Announcement(Operator operator, OperatorAssembly assembly, PostgresEndpoint postgres) {
        Prepared prepared = PREPARED.get();
        this.folder = prepared.folder();
        this.connection = prepared.connection();
        this.progress = prepared.progress();
        this.operator = operator;
        this.assembly = assembly;
        this.postgres = postgres;
    }

    /** Sets what to announce, and deletes the file of an earlier run. */
    static void prepare(DataFolder folder, Connection connection, Progress progress) throws IOException {
        Files.deleteIfExists(folder.file(FILE));
        PREPARED.set(new Prepared(folder, connection, progress));
    }

    @Override
    public int run(String... arguments) throws Exception {
        // With a QuarkusApplication, the application starts the operator, not the extension.
        if (!operator.getRuntimeInfo().isStarted()) {
            operator.start();
        }
        // Before its tables exist, the API would report an outage.
        assembly.awaitPlatformDatabase();
        awaitAnswer();
        Connection ready = postgres.on() ? connection.withPostgres(postgres.port()) : connection;
        folder.writePrivately(
                folder.file(FILE),
                new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(ready) + "\n");
        progress.note("ready after %.1f s".formatted(progress.elapsed()));
        System.out.println(ready.greeting());
        Quarkus.waitForExit();
        Files.deleteIfExists(folder.file(FILE));
        return 0;
    }

    private record Prepared(DataFolder folder, Connection connection, Progress progress) {}

    private void awaitAnswer() throws InterruptedException, IOException {
        var request = HttpRequest.newBuilder(URI.create(connection.baseUrl() + "/projects"))
                .header("Authorization", "Bearer " + connection.token())
                .timeout(Duration.ofSeconds(10))
                .build();
        Instant limit = Instant.now().plus(READY_TIMEOUT);
        String last = "no answer";
        try (HttpClient client = HttpClient.newHttpClient()) {
            while (Instant.now().isBefore(limit)) {
                try {
                    var response = client.send(request, HttpResponse.BodyHandlers.ofString());
                    if (response.statusCode() == 200) {
                        return;
                    }
                    last = response.statusCode() + " " + response.body();
                } catch (IOException e) {
                    last = e.toString();
                }
                Thread.sleep(50);
            }
        }
        throw new IOException("the platform did not become ready within " + READY_TIMEOUT.toSeconds() + " s: " + last);
    }
}
