package svc.bench.storage;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import svc.bench.measure.Figure;
import svc.bench.measure.LiveHeap;
import svc.e2e.platform.Platform;
import svc.e2e.platform.ResidentMemory;

/** A file of 1 GB, uploaded and downloaded: its speed, and the live heap of the platform meanwhile. */
record LargeFile(Platform platform, StorageProject project) {
    private static final long BYTES = 1L << 30;
    private static final int PIECE = 1 << 20;
    private static final double MEBI = 1 << 20;
    private static final double MAX_GROWTH = 64;
    private static final String NAME = "open/large";
    private static final Path HISTOGRAM = Path.of("target/storage-heap.txt");

    List<Figure> measure() throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            Transfer up = watched(() -> upload(client));
            Transfer down = watched(() -> download(client));
            return List.of(
                    Figure.watched("upload of 1 GB", up.mebiPerSecond(), "MiB/s"),
                    Figure.atMost("growth of the live heap meanwhile", up.growth() / MEBI, "MiB", MAX_GROWTH),
                    Figure.watched("download of 1 GB", down.mebiPerSecond(), "MiB/s"),
                    Figure.atMost("growth of the live heap meanwhile", down.growth() / MEBI, "MiB", MAX_GROWTH),
                    Figure.watched(
                            "resident memory of the platform afterwards",
                            ResidentMemory.ofTree(platform.process()).summed() / MEBI,
                            "MiB"));
        }
    }

    /** @param growth greatest of the live heap while it ran, in bytes */
    private record Transfer(double mebiPerSecond, long growth) {}

    /** Twice: for the speed alone, then with full collections, which stop it, for the heap. */
    private Transfer watched(Callable<Long> work) throws Exception {
        long begin = System.nanoTime();
        long bytes = work.call();
        double speed = bytes / MEBI / ((System.nanoTime() - begin) / 1e9);
        long before = heap();
        long greatest = before;
        try (var thread = Executors.newSingleThreadExecutor()) {
            var running = CompletableFuture.runAsync(() -> call(work), thread);
            while (!running.isDone()) {
                greatest = Math.max(greatest, heap());
            }
            running.get();
        }
        return new Transfer(speed, greatest - before);
    }

    private static void call(Callable<Long> work) {
        try {
            work.call();
        } catch (Exception e) {
            throw new IllegalStateException("while moving a large file", e);
        }
    }

    private long heap() throws IOException {
        return LiveHeap.bytes(platform.process(), HISTOGRAM);
    }

    private HttpRequest.Builder request(String route) {
        return HttpRequest.newBuilder(project.address(route)).header("apikey", project.serviceKey());
    }

    private long upload(HttpClient client) throws IOException, InterruptedException {
        HttpResponse<String> answer = client.send(
                request("/object/" + NAME)
                        .header("x-upsert", "true")
                        .header("Content-Type", "application/octet-stream")
                        .POST(BodyPublishers.fromPublisher(BodyPublishers.ofInputStream(() -> new Zeros(BYTES)), BYTES))
                        .build(),
                BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IOException("upload of 1 GB: " + answer.body());
        }
        return BYTES;
    }

    private long download(HttpClient client) throws IOException, InterruptedException {
        HttpResponse<InputStream> answer =
                client.send(request("/object/public/" + NAME).build(), BodyHandlers.ofInputStream());
        long count = 0;
        byte[] piece = new byte[PIECE];
        try (InputStream body = answer.body()) {
            int read = body.read(piece);
            while (read >= 0) {
                count += read;
                read = body.read(piece);
            }
        }
        if (count != BYTES) {
            throw new IOException("download of 1 GB: " + answer.statusCode() + ", " + count + " bytes");
        }
        return count;
    }

    /** So many bytes. */
    private static final class Zeros extends InputStream {
        private long left;

        Zeros(long count) {
            this.left = count;
        }

        @Override
        public int read() {
            return left-- > 0 ? 0 : -1;
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            if (left <= 0) {
                return -1;
            }
            int count = (int) Math.min(left, length);
            left -= count;
            return count;
        }
    }
}
