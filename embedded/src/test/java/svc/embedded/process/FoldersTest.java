package svc.embedded.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Folders are deleted recursively, without following links, also by two threads at once. */
class FoldersTest {
    @TempDir
    private Path folder;

    @Test
    void twoAtOnceAreNotInEachOthersWay() throws Exception {
        try (var both = Executors.newFixedThreadPool(2)) {
            for (int round = 0; round < 20; round++) {
                Path whole = folder.resolve("round-" + round);
                for (int number = 0; number < 50; number++) {
                    Path inner = Files.createDirectories(whole.resolve("inner-" + number));
                    Files.writeString(inner.resolve("file"), "text");
                }
                Callable<Void> removal = () -> {
                    Folders.deleteRecursively(whole);
                    return null;
                };
                for (var done : both.invokeAll(List.of(removal, removal))) {
                    done.get();
                }
                assertThat(whole).doesNotExist();
            }
        }
    }

    @Test
    void whatALinkLeadsToStays() throws Exception {
        Path kept = Files.writeString(folder.resolve("kept"), "text");
        Path gone = Files.createDirectory(folder.resolve("gone"));
        Files.createSymbolicLink(gone.resolve("link"), kept);

        Folders.deleteRecursively(gone);

        assertThat(gone).doesNotExist();
        assertThat(kept).exists();
    }
}
