package svc.realtime.changes;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.realtime.changes.TestingFeed.binding;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import svc.database.shared.PublicationPart;
import svc.embedded.redis.EmbeddedRedis;
import svc.platform.dataplane.Caller;
import svc.platform.tenancy.Tenant;
import svc.testing.TestingProjects;

/** While a project's transaction is large, a second stream brings the changes of others, and each of them arrives once. */
@Timeout(180)
class StreamBesideTest {
    private static final EmbeddedRedis REDIS = EmbeddedRedis.forTests();
    private static final int LARGE = 12_000;

    private final TestingProjects projects = TestingProjects.create();
    private final Tenant tenant = projects.project("large");
    private final Tenant neighbour = projectOfAnotherPart(projects, tenant);
    private TestingFeed process;

    /** Projects of one part wait for each other. */
    static Tenant projectOfAnotherPart(TestingProjects projects, Tenant tenant) {
        for (int attempt = 0; ; attempt++) {
            Tenant other = projects.project("neighbour" + attempt);
            if (!PublicationPart.of(other.projectId()).equals(PublicationPart.of(tenant.projectId()))) {
                return other;
            }
        }
    }

    @BeforeEach
    void publish() {
        for (Tenant project : List.of(tenant, neighbour)) {
            projects.asOwner(
                    project,
                    "CREATE TABLE t (id int PRIMARY KEY); GRANT SELECT ON t TO "
                            + project.names().schemaName() + "_anon");
            TestingFeed.publish(projects, project, "t");
        }
        TestingFeed.setReader(projects, "SET logical_decoding_work_mem = 64");
        process = new TestingFeed(projects, REDIS.url());
    }

    @AfterEach
    void stop() {
        TestingFeed.setReader(projects, "RESET ALL");
        process.close();
        TestingFeed.dropSlot(projects, tenant);
    }

    private Recorded subscribed(Tenant of) {
        return process.subscribed(of, Caller.anon(), binding(1, "*", "t"));
    }

    private void awaitStreams(int streams) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> projects.ask("SELECT count(*)::text FROM pg_replication_slots"
                                + " WHERE database = current_database() AND active")
                        .equals(Integer.toString(streams)));
    }

    private void insertOfNeighbour(int from, int to) {
        for (int row = from; row <= to; row++) {
            projects.asOwner(neighbour, "INSERT INTO t VALUES (" + row + ")");
        }
    }

    private static List<String> numbers(int from, int to) {
        return IntStream.rangeClosed(from, to).mapToObj(Integer::toString).toList();
    }

    private void readAround(boolean commits) throws SQLException {
        Recorded own = subscribed(tenant);
        Recorded others = subscribed(neighbour);
        insertOfNeighbour(1, 5);
        try (Connection large = TestingFeed.owner(projects, tenant);
                Statement statement = large.createStatement()) {
            large.setAutoCommit(false);
            statement.execute("INSERT INTO t SELECT generate_series(1, " + LARGE + ")");
            awaitStreams(2);
            insertOfNeighbour(6, 25);
            assertThat(others.next(25, "id")).isEqualTo(numbers(1, 25));
            assertThat(own.hasNothing()).isTrue();
            if (commits) {
                large.commit();
            } else {
                large.rollback();
            }
        }
        projects.asOwner(tenant, "INSERT INTO t VALUES (100000)");
        insertOfNeighbour(26, 30);
        if (commits) {
            assertThat(own.next(LARGE, "id")).isEqualTo(numbers(1, LARGE));
        }
        assertThat(own.next(1, "id")).containsExactly("100000");
        awaitStreams(1);
        insertOfNeighbour(31, 35);
        assertThat(others.next(10, "id")).isEqualTo(numbers(26, 35));
        assertThat(others.hasNothing()).isTrue();
        assertThat(others.states()).isEmpty();
        assertThat(own.states()).isEmpty();
        assertThat(process.count("svc.realtime.reader.beside")).isEqualTo(1);
    }

    @Test
    void othersAreReadBesideATransactionThatCommits() throws Exception {
        readAround(true);
    }

    @Test
    void othersAreReadBesideATransactionThatFails() throws Exception {
        readAround(false);
    }

    /** Until operators have put the tables of an earlier version into the publications of parts. */
    @Test
    void nothingIsReadBesideWhileATableIsInNoPart() throws Exception {
        projects.asOperator(
                "ALTER PUBLICATION " + PublicationPart.of(neighbour.projectId()).publication() + " DROP TABLE "
                        + neighbour.names().schemaName() + ".t");
        Recorded others = subscribed(neighbour);
        Recorded own = subscribed(tenant);
        projects.asOwner(tenant, "SET synchronous_commit = on; INSERT INTO t SELECT generate_series(1, " + LARGE + ")");
        insertOfNeighbour(1, 3);
        assertThat(others.next(3, "id")).isEqualTo(numbers(1, 3));
        assertThat(own.next(LARGE, "id")).isEqualTo(numbers(1, LARGE));
        assertThat(process.count("svc.realtime.reader.beside")).isZero();
    }
}
