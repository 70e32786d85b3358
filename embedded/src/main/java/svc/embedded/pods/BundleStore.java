package svc.embedded.pods;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Archives of functions on disk, by the hash of their content: each is fetched from the data plane once. */
final class BundleStore {
    private static final Pattern BY_HASH = Pattern.compile("/([0-9a-f]{64})$");
    private static final int HTTP_PORT = 80;
    private static final int OK = 200;
    private static final long LIMIT_SECONDS = 10;

    private final Path folder;
    private final Optional<InetSocketAddress> gateway;
    private final HttpClient client;

    /**
     * @param gateway where the data plane really listens, whatever host an address names; empty to go by the address
     */
    BundleStore(Path folder, Optional<InetSocketAddress> gateway, Vertx vertx) {
        this.folder = folder;
        this.gateway = gateway;
        this.client = vertx.createHttpClient();
    }

    /**
     * The file with the archive of an address.
     *
     * @param address {@code file:}, or {@code http:} with the hash as the last part of its path
     * @param token bearer for the data plane
     * @throws IOException when it cannot be had, or does not match its hash
     */
    Path find(String address, String token) throws IOException, InterruptedException {
        if (address.startsWith("file:")) {
            return Path.of(URI.create(address));
        }
        Matcher hash = BY_HASH.matcher(address);
        if (!hash.find()) {
            throw new IOException("SVC_RUNTIME_BUNDLE is not the address of an archive: " + address);
        }
        Path file = folder.resolve(hash.group(1));
        if (!Files.exists(file)) {
            byte[] archive = fetch(URI.create(address), token);
            if (!sha256(archive).equals(hash.group(1))) {
                throw new IOException("the archive at " + address + " does not match its hash");
            }
            Path scratch = Files.createTempFile(folder, ".new-", "");
            Files.write(scratch, archive);
            // Functions run as users of their own; the permissions of the folder decide about access.
            Files.setPosixFilePermissions(
                    scratch, java.nio.file.attribute.PosixFilePermissions.fromString("rw-r--r--"));
            Files.move(scratch, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }
        return file;
    }

    private byte[] fetch(URI address, String token) throws IOException, InterruptedException {
        int port = address.getPort() < 0 ? HTTP_PORT : address.getPort();
        var options = new RequestOptions()
                .setMethod(HttpMethod.GET)
                .setHost(address.getHost())
                .setPort(port)
                .setURI(address.getRawPath())
                .putHeader("Authorization", "Bearer " + token);
        gateway.ifPresent(at -> options.setServer(SocketAddress.inetSocketAddress(at)));
        try {
            return client.request(options)
                    .compose(BundleStore::body)
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(LIMIT_SECONDS, TimeUnit.SECONDS)
                    .getBytes();
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException("while fetching the archive " + address + ": " + e.getMessage(), e);
        }
    }

    /** Read on the connection's thread: the response may end before another thread subscribes. */
    private static Future<Buffer> body(HttpClientRequest request) {
        return request.send()
                .compose(answer -> answer.statusCode() == OK
                        ? answer.body()
                        : Future.failedFuture("it answers " + answer.statusCode()));
    }

    private static String sha256(byte[] content) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
