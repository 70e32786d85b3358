package svc.bench.storage;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import svc.bench.measure.BenchDatabase;
import svc.bench.measure.Figure;
import svc.bench.measure.Samples;
import svc.e2e.platform.Platform;

/** Lists folders of a bucket with a million files, one request after the other, by a key for which a policy decides. */
record StorageListings(Platform platform, StorageProject project) {
    private static final int FOLDERS = 1_000;
    private static final int FILES_OF_FOLDER = 1_000;
    private static final int SAMPLES = 100;
    private static final double MAX_MILLIS = 20;
    private static final String FOLDER = "deep/down/here/folder-0500/";

    List<Figure> measure() throws IOException, SQLException {
        fill();
        var figures = new ArrayList<Figure>();
        figures.add(figure("100 of a folder of 1,000", "list", "{\"prefix\":\"" + FOLDER + "\",\"limit\":100}"));
        figures.add(figure(
                "the last 100 of it, by offset",
                "list",
                "{\"prefix\":\"" + FOLDER + "\",\"limit\":100,\"offset\":900}"));
        figures.add(figure(
                "100 of it, by cursor",
                "list-v2",
                "{\"prefix\":\"" + FOLDER + "\",\"with_delimiter\":true,\"limit\":100}"));
        figures.add(figure("100 of 1,000 folders", "list", "{\"prefix\":\"deep/down/here/\",\"limit\":100}"));
        figures.add(figure(
                "100 of 1,000 folders, by cursor",
                "list-v2",
                "{\"prefix\":\"deep/down/here/\",\"with_delimiter\":true,\"limit\":100}"));
        return figures;
    }

    /** Rows alone: lists read no bytes. */
    private void fill() throws IOException, SQLException {
        BenchDatabase.of(platform).execute("""
                INSERT INTO %s.objects (bucket_id, name, version, metadata)
                SELECT 'closed', format('deep/down/here/folder-%%s/file-%%s', to_char(folder, 'FM0000'), file),
                    gen_random_uuid()::text, '{"size": 100000, "mimetype": "image/png", "cacheControl": "no-cache"}'
                FROM generate_series(1, %d) folder, generate_series(1, %d) file;
                ANALYZE %1$s.objects
                """.formatted(project.schema(), FOLDERS, FILES_OF_FOLDER));
    }

    private Figure figure(String what, String route, String body) throws IOException {
        for (int i = 0; i < SAMPLES; i++) {
            project.list(route, body);
        }
        var measured = new ArrayList<Duration>();
        for (int i = 0; i < SAMPLES; i++) {
            long begin = System.nanoTime();
            project.list(route, body);
            measured.add(Duration.ofNanos(System.nanoTime() - begin));
        }
        return Figure.atMost(
                "list among 1,000,000, " + what + ", p50", Samples.of(measured).median(), "ms", MAX_MILLIS);
    }
}
