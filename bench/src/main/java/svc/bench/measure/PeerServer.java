package svc.bench.measure;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import svc.e2e.platform.ControlPlane;

/** Another product's server beside us, installed from npm into {@code target/peers}, once. */
public final class PeerServer implements AutoCloseable {
    /** To the database, as many as a project has here. */
    public static final int CONNECTIONS = 20;

    private static final Path PEERS = Path.of("target", "peers");
    private static final Duration START_LIMIT = Duration.ofSeconds(30);
    private static final long POLL_MILLIS = 50;

    private final String name;
    private final Process process;
    private final URI url;

    private PeerServer(String name, Process process, URI url) {
        this.name = name;
        this.process = process;
        this.url = url;
    }

    /**
     * Installs packages, each {@code name@version}, unless they are there.
     *
     * @return the folder of {@code node_modules}, named after the first package
     * @throws IOException with what npm said when they cannot be had
     */
    public static Path install(Tool npm, List<String> packages) throws IOException {
        Path folder = PEERS.resolve(packages.getFirst().replace('@', '-')).toAbsolutePath();
        Path installed = folder.resolve("installed");
        if (!Files.exists(installed)) {
            Files.createDirectories(folder);
            List<String> words = new ArrayList<>(List.of(
                    "install",
                    "--prefix",
                    folder.toString(),
                    "--ignore-scripts",
                    "--no-audit",
                    "--no-fund",
                    "--loglevel=error"));
            words.addAll(packages);
            npm.run(Map.of(), words);
            Files.createFile(installed);
        }
        return folder.resolve("node_modules");
    }

    /** A file of a package that can be run. */
    public static Path executable(Path program) throws IOException {
        if (!Files.isExecutable(program) && !program.toFile().setExecutable(true)) {
            throw new IOException("cannot be made executable: " + program);
        }
        return program;
    }

    /**
     * Starts a server on a port of this machine; returns when it answers.
     *
     * @param probe a request that it answers with 200 when it is ready
     */
    public static PeerServer start(String name, ProcessBuilder command, int port, HttpRequest.Builder probe, Path log)
            throws Exception {
        Process process =
                command.redirectErrorStream(true).redirectOutput(log.toFile()).start();
        var server = new PeerServer(name, process, address(port));
        try {
            server.awaitAnswer(probe, log);
            return server;
        } catch (IOException | InterruptedException e) {
            server.close();
            throw e;
        }
    }

    public static URI address(int port) {
        return URI.create("http://127.0.0.1:" + port);
    }

    public URI url() {
        return url;
    }

    private void awaitAnswer(HttpRequest.Builder probe, Path log) throws IOException, InterruptedException {
        long limit = System.nanoTime() + START_LIMIT.toNanos();
        while (!answers(probe)) {
            if (process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS) || System.nanoTime() > limit) {
                throw new IOException(name + " does not answer; it said: " + Files.readString(log));
            }
        }
    }

    private static boolean answers(HttpRequest.Builder probe) {
        try {
            return ControlPlane.send(probe).status() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(START_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
    }
}
