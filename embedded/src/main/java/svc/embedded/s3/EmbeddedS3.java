package svc.embedded.s3;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.nio2blob.FilesystemNio2BlobStore;
import svc.embedded.process.Folders;

/**
 * An S3 API over a folder, in this process, on the loopback interface only. It is S3Proxy with its file system back end:
 * signed requests, multipart uploads, range and conditional reads; no versioning, no ACLs. When the disk is full it answers
 * 507 InsufficientStorage, and what is stored already can be read and deleted.
 */
public final class EmbeddedS3 implements AutoCloseable {
    private static final Duration START_TIMEOUT = Duration.ofSeconds(30);

    private final S3Proxy server;
    private final Credentials credentials;
    private final Path folder;
    private final boolean temporary;
    private final FullDisk full = new FullDisk();

    private EmbeddedS3(Path folder, int port, Credentials credentials, boolean temporary) throws Exception {
        this.folder = folder;
        this.credentials = credentials;
        this.temporary = temporary;
        Files.createDirectories(folder);
        this.server = S3Proxy.builder()
                .blobStore(full.around(new FilesystemNio2BlobStore(folder.toString())))
                .endpoint(URI.create("http://127.0.0.1:" + port))
                .awsAuthentication(AuthenticationType.AWS_V2_OR_V4, credentials.accessKey(), credentials.secretKey())
                .metricsEnabled(false)
                .build();
        server.start();
        awaitStarted();
    }

    /** Starts a server with temporary buckets. */
    public static EmbeddedS3 forTests() {
        try {
            Path folder = Files.createTempDirectory("svc-s3-");
            return start(folder, 0, new Credentials("test-access-key", "test-secret-key"), true);
        } catch (IOException e) {
            throw new UncheckedIOException("while making a folder for S3", e);
        }
    }

    /**
     * Starts a server that keeps its buckets in {@code folder}.
     *
     * @param port of the loopback interface, 0 for any free one
     */
    public static EmbeddedS3 lasting(Path folder, int port, Credentials credentials) {
        return start(folder.toAbsolutePath(), port, credentials, false);
    }

    private static EmbeddedS3 start(Path folder, int port, Credentials credentials, boolean temporary) {
        try {
            return new EmbeddedS3(folder, port, credentials, temporary);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while starting the S3 API", e);
        } catch (Exception e) {
            throw new IllegalStateException("while starting the S3 API on port " + port + ": " + e.getMessage(), e);
        }
    }

    /** The endpoint for a client in path style. */
    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + server.getPort());
    }

    public Credentials credentials() {
        return credentials;
    }

    /** For tests: the disk has no space from now on, or has again. */
    public void fill(boolean isFull) {
        full.pretend(isFull);
    }

    @Override
    public void close() {
        try {
            server.stop();
            if (temporary) {
                Folders.deleteRecursively(folder);
            }
        } catch (Exception e) {
            throw new IllegalStateException("while stopping the S3 API", e);
        }
    }

    private void awaitStarted() throws InterruptedException {
        long limit = System.nanoTime() + START_TIMEOUT.toNanos();
        while (!"STARTED".equals(server.getState())) {
            if (System.nanoTime() - limit > 0) {
                throw new IllegalStateException("the S3 API did not start within " + START_TIMEOUT);
            }
            Thread.sleep(5);
        }
    }

    /** The access key of clients. */
    public record Credentials(String accessKey, String secretKey) {
        /** Without the secret. */
        @Override
        public String toString() {
            return "Credentials[" + accessKey + "]";
        }
    }
}
