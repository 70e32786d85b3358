package svc.server.management.query.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusMock;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import svc.management.query.SqlQuota;
import svc.platform.tenancy.TenantDirectory;
import svc.server.testing.TestingPlatform;
import svc.server.testing.TestingProject;

/** Whole migrations written for Supabase run unchanged on a shared database, with the same effect. */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class CorpusTest {
    private static final String REFUSED = "refused/";

    private static final int SIDE_BY_SIDE = 4;

    /** More than the default limit: a file makes more calls per minute. */
    private static final int CALLS_PER_MINUTE = 1000;

    private final ExecutorService people = Executors.newFixedThreadPool(SIDE_BY_SIDE);

    @Inject
    KubernetesClient client;

    @Inject
    TenantDirectory tenants;

    @BeforeAll
    static void allowManyCalls() {
        QuarkusMock.installMockForType(() -> CALLS_PER_MINUTE, SqlQuota.class);
    }

    @AfterEach
    void leave() {
        people.shutdownNow();
    }

    private static Path folder() {
        try {
            return Path.of(CorpusTest.class.getResource("/svc/sqlgate/corpus").toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException("while looking for the corpus", e);
        }
    }

    /** {@code family/name}, sorted. */
    private static List<String> files() {
        Path folder = folder();
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(path -> path.toString().endsWith(".sql"))
                    .map(path -> folder.relativize(path).toString().replace('\\', '/'))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("while listing the corpus", e);
        }
    }

    static Stream<String> migrations() {
        return files().stream().filter(file -> !file.startsWith(REFUSED));
    }

    static Stream<String> refusals() {
        return files().stream().filter(file -> file.startsWith(REFUSED));
    }

    private Void take(String file) throws IOException {
        TestingProject project = TestingProject.create(client, tenants, "corpus");
        new CorpusMigration(project, file).take(steps(file));
        return null;
    }

    /** Each file is a test with a project of its own; several run concurrently, as tenants do. */
    private Stream<DynamicTest> together(Stream<String> files) {
        return files.map(file -> Map.entry(file, people.submit(() -> take(file)))).toList().stream()
                .map(running -> DynamicTest.dynamicTest(running.getKey(), () -> {
                    try {
                        running.getValue().get();
                    } catch (ExecutionException e) {
                        throw e.getCause();
                    }
                }));
    }

    private static List<CorpusStep> steps(String file) throws IOException {
        return CorpusFile.steps(Files.readString(folder().resolve(file)));
    }

    @TestFactory
    Stream<DynamicTest> runsAndDoesWhatItSays() {
        return together(migrations());
    }

    @TestFactory
    Stream<DynamicTest> isRefusedWithARemedy() {
        return together(refusals());
    }

    @Test
    void everyFileIsJudgedByWhatItLeaves() throws IOException {
        for (String file : files()) {
            List<CorpusStep> steps = steps(file);
            assertThat(steps)
                    .as(file)
                    .anyMatch(step -> step instanceof CorpusStep.Call || step instanceof CorpusStep.Refusal);
            assertThat(steps.getLast()).as(file).isNotInstanceOf(CorpusStep.Call.class);
        }
    }

    @Test
    void theCorpusIsLarge() {
        assertThat(migrations()).hasSizeGreaterThanOrEqualTo(150);
    }
}
