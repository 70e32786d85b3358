package svc.standalone;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.QuarkusApplication;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;

/** Waits until the platform answers its admin, then says where it is: on the terminal and in {@code connection.json}. */
public final class Announcement implements QuarkusApplication {
    /** The name of the file in the data folder. */
    static final String FILE = "connection.json";

    private static final Duration LIMIT = Duration.ofSeconds(90);
    private static final AtomicReference<Announcement> PREPARED = new AtomicReference<>();

    private final DataFolder folder;
    private final Connection connection;
    private final Progress progress;

    /** For Quarkus, which makes the application itself: what {@link #prepare} was given before. */
    public Announcement() {
        this(PREPARED.get().folder, PREPARED.get().connection, PREPARED.get().progress);
    }

    private Announcement(DataFolder folder, Connection connection, Progress progress) {
        this.folder = folder;
        this.connection = connection;
        this.progress = progress;
    }

    /** Says what will be announced, and takes away what an earlier run announced. */
    static void prepare(DataFolder folder, Connection connection, Progress progress) throws IOException {
        Files.deleteIfExists(folder.file(FILE));
        PREPARED.set(new Announcement(folder, connection, progress));
    }

    @Override
    public int run(String... arguments) throws Exception {
        awaitAnswer();
        folder.writePrivately(
                folder.file(FILE),
                new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(connection) + "\n");
        progress.note("ready after %.1f s".formatted(progress.elapsed()));
        System.out.println(connection.greeting());
        Quarkus.waitForExit();
        Files.deleteIfExists(folder.file(FILE));
        return 0;
    }

    private void awaitAnswer() throws InterruptedException, IOException {
        var request = HttpRequest.newBuilder(URI.create(connection.baseUrl() + "/projects"))
                .header("Authorization", "Bearer " + connection.token())
                .timeout(Duration.ofSeconds(10))
                .build();
        Instant limit = Instant.now().plus(LIMIT);
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
        throw new IOException("the platform did not become ready within " + LIMIT.toSeconds() + " s: " + last);
    }
}
