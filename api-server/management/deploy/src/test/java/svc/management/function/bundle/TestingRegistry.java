package svc.management.function.bundle;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;

/** A registry of modules, of JSR packages and of npm packages on one port of the loopback interface. */
public final class TestingRegistry implements AutoCloseable {
    private static final int BLOCK = 512;

    private final HttpServer server;
    private final Map<String, Reply> replies = new ConcurrentHashMap<>();
    private final Queue<String> asked = new ConcurrentLinkedQueue<>();
    private final AtomicInteger atOnce = new AtomicInteger();
    private final AtomicInteger mostAtOnce = new AtomicInteger();
    private volatile Duration pause = Duration.ZERO;

    /** What a path is answered with; a location makes it a redirect. */
    private record Reply(int status, String type, byte[] body, String location) {}

    public TestingRegistry() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::answer);
        server.start();
    }

    /** {@code http://127.0.0.1:port}, without a slash behind it. */
    public String origin() {
        return "http://127.0.0.1:" + port();
    }

    public int port() {
        return server.getAddress().getPort();
    }

    /** Paths in the order in which they were asked for. */
    public List<String> asked() {
        return List.copyOf(asked);
    }

    /** The most requests that were waiting for their answer at one time. */
    public int mostAtOnce() {
        return mostAtOnce.get();
    }

    /** Lets each request wait before it is answered. */
    public TestingRegistry pausing(Duration time) {
        pause = time;
        return this;
    }

    public TestingRegistry module(String path, String text) {
        return serve(path, 200, "application/typescript", text.getBytes(StandardCharsets.UTF_8));
    }

    public TestingRegistry serve(String path, int status, String type, byte[] body) {
        replies.put(path, new Reply(status, type, body, null));
        return this;
    }

    public TestingRegistry redirect(String path, String location) {
        replies.put(path, new Reply(302, "text/plain", new byte[0], location));
        return this;
    }

    /** A path that is never answered. */
    public TestingRegistry silent(String path) {
        replies.put(path, new Reply(0, "", new byte[0], null));
        return this;
    }

    /** One version of a package of npm, which is also its latest. */
    public TestingRegistry npm(String name, String version, String manifest, Map<String, String> files) {
        Map<String, String> all = new ConcurrentHashMap<>(files);
        all.put("package.json", manifest);
        return npmArchive(name, version, gzip(tar(all)), true);
    }

    public TestingRegistry npmArchive(String name, String version, byte[] archive, boolean honest) {
        String tarball = "/tarballs/" + name + "-" + version + ".tgz";
        String sum = "sha512-" + Base64.getEncoder().encodeToString(sha512(honest ? archive : new byte[] {1}));
        String dist = "{\"tarball\":\"" + origin() + tarball + "\",\"integrity\":\"" + sum + "\"}";
        String path = "/" + name.replace("/", "%2f");
        serve(
                path + "/latest",
                200,
                "application/json",
                utf8("{\"version\":\"" + version + "\",\"dist\":" + dist + "}"));
        serve(
                path,
                200,
                "application/json",
                utf8("{\"dist-tags\":{\"latest\":\"" + version + "\"},\"versions\":{\"" + version + "\":{\"dist\":"
                        + dist + "}}}"));
        return serve(tarball, 200, "application/octet-stream", archive);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getRawPath();
        asked.add(path);
        Reply reply = replies.getOrDefault(path, new Reply(404, "text/plain", utf8("nothing is here"), null));
        if (reply.status() == 0) {
            return;
        }
        mostAtOnce.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
        think();
        // Before the client has its answer, after which it may ask the next.
        atOnce.decrementAndGet();
        exchange.getResponseHeaders().set("Content-Type", reply.type());
        if (reply.location() != null) {
            exchange.getResponseHeaders().set("Location", reply.location());
        }
        try (exchange) {
            exchange.sendResponseHeaders(reply.status(), reply.body().length == 0 ? -1 : reply.body().length);
            exchange.getResponseBody().write(reply.body());
        }
    }

    private void think() {
        try {
            Thread.sleep(pause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static byte[] gzip(byte[] bytes) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return packed.toByteArray();
    }

    private static byte[] tar(Map<String, String> files) {
        ByteArrayOutputStream archive = new ByteArrayOutputStream();
        files.forEach((path, text) -> archive.writeBytes(entry("package/" + path, '0', utf8(text))));
        archive.writeBytes(new byte[2 * BLOCK]);
        return archive.toByteArray();
    }

    /** One entry of a tar archive; type 2 is a symbolic link, whose target stands in its content here. */
    public static byte[] entry(String path, char type, byte[] content) {
        byte[] block = new byte[BLOCK + (content.length + BLOCK - 1) / BLOCK * BLOCK];
        byte[] name = utf8(path);
        System.arraycopy(name, 0, block, 0, name.length);
        byte[] size = utf8(String.format("%011o", content.length));
        System.arraycopy(size, 0, block, 124, size.length);
        block[156] = (byte) type;
        System.arraycopy(utf8("ustar"), 0, block, 257, 5);
        System.arraycopy(content, 0, block, BLOCK, content.length);
        return block;
    }

    private static byte[] sha512(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-512").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
