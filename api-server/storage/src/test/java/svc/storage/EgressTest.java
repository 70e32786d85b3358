package svc.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.storage.StorageForTests.SERVICE;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.platform.tenancy.Tenant;
import svc.storage.StorageHttp.Answer;

/** What a project's files send in a month has a limit, over all instances, and a neighbour does not notice. */
class EgressTest {
    private static final int HALF = 600 << 10;

    private static StorageForTests storage;

    @BeforeAll
    static void start() {
        storage = new StorageForTests();
        for (String ref : List.of("one", "two")) {
            storage.project(ref);
            storage.bucket(ref, "b", true);
            storage.upload(ref, "b/file", SERVICE, new byte[HALF]);
        }
    }

    @AfterAll
    static void stop() {
        storage.close();
    }

    /** A month without anything sent. */
    @BeforeEach
    void nextMonth() {
        storage.loseSums(false);
        storage.countSent();
        storage.pass(Duration.ofDays(32));
        limit(1L);
    }

    private static void limit(Long megabytes) {
        Tenant tenant = storage.tenant("one");
        storage.serve(tenant.withStorage(tenant.storage().withEgressLimitMB(megabytes)));
    }

    private static Answer file(String ref) {
        Answer answer = storage.get(ref, "/object/public/b/file", "");
        storage.countSent();
        return answer;
    }

    private static void isExceeded(Answer answer) {
        assertThat(answer.status()).isEqualTo(402);
        assertThat(answer.text("error")).isEqualTo("exceed_egress_quota");
        assertThat(answer.text("message")).contains("1 MiB").contains("spec.storage.egressLimitMB");
    }

    @Test
    void whenItIsSentDownloadsAreRefusedAndNothingElse() {
        assertThat(file("one").bytes()).hasSize(HALF);
        assertThat(file("one").bytes()).hasSize(HALF);

        isExceeded(file("one"));
        isExceeded(storage.get("one", "/object/b/file", SERVICE, "Range", "bytes=0-0"));
        isExceeded(storage.get("one", "/object/authenticated/b/file", SERVICE));
        assertThat(storage.get("one", "/object/info/b/file", SERVICE).status()).isEqualTo(200);
        assertThat(storage.upload("one", "b/other", SERVICE, "x", "x-upsert", "true")
                        .status())
                .isEqualTo(200);
        assertThat(storage.call("one", "POST", "/object/list/b", SERVICE, "{\"prefix\":\"\"}")
                        .status())
                .isEqualTo(200);
        assertThat(file("two").bytes()).hasSize(HALF);

        limit(null);
        assertThat(file("one").status()).isEqualTo(200);
    }

    @Test
    void theNextMonthStartsAtZero() {
        file("one");
        file("one");
        isExceeded(file("one"));
        storage.pass(Duration.ofDays(32));
        assertThat(file("one").status()).isEqualTo(200);
    }

    @Test
    void whatOtherInstancesSendCounts() {
        assertThat(file("one").status()).isEqualTo(200);
        storage.sendElsewhere("one", HALF);
        storage.pass(Duration.ofSeconds(11));
        isExceeded(file("one"));
    }

    /** Rather more than the limit than nothing: but not without an end. */
    @Test
    void withoutTheSumsThisInstanceCountsAlone() {
        storage.loseSums(true);
        assertThat(file("one").status()).isEqualTo(200);
        assertThat(file("one").status()).isEqualTo(200);
        isExceeded(file("one"));
        storage.loseSums(false);
        storage.countSent();
        isExceeded(file("one"));
    }

    @Test
    void manyAtOnceAreCountedTogether() {
        limit(3L);
        List<Answer> answers = IntStream.range(0, 4)
                .parallel()
                .mapToObj(i -> storage.get("one", "/object/public/b/file", ""))
                .toList();
        assertThat(answers).extracting(Answer::status).containsOnly(200);
        storage.countSent();
        assertThat(file("one").status()).isEqualTo(200);
        assertThat(file("one").status()).isEqualTo(200);
        assertThat(storage.get("one", "/object/public/b/file", "").status()).isEqualTo(402);
        assertThat(file("two").status()).isEqualTo(200);
    }

    @Test
    void zeroSendsNothing() {
        limit(0L);
        assertThat(file("one").status()).isEqualTo(402);
    }
}
