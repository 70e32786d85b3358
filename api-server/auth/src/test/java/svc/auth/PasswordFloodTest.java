package svc.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import svc.auth.AuthForTests.Answer;
import svc.auth.password.PasswordHashes;
import svc.testing.TestingProjects;

/** Promise: a project that is flooded with sign-ups, or floods itself, does not keep its neighbours from signing in. */
class PasswordFloodTest {
    /** The cost of the platform, so that computations wait. */
    private static final AuthForTests AUTH =
            new AuthForTests(TestingProjects.create(), new PasswordHashes.Cost(19 * 1024, 2));

    private static final String OPEN = "{\"email\":{\"autoconfirm\":true},\"rateLimits\":{\"signUpsPerHour\":100000}}";

    @AfterAll
    static void close() {
        AUTH.close();
    }

    @Test
    void aNeighbourSignsInDuringAFloodOfSignUps() throws Exception {
        AUTH.project("flood234", OPEN);
        AUTH.project("quiet234", OPEN);
        String user = "{\"email\":\"ann@example.com\",\"password\":\"correct horse\"}";
        assertThat(AUTH.post("quiet234", "/signup", user).status()).isEqualTo(200);
        List<Future<Answer>> flood = new ArrayList<>();
        List<Answer> neighbour = new ArrayList<>();
        // The client's connection carries 100 calls at a time.
        try (var threads = Executors.newFixedThreadPool(80)) {
            for (int i = 0; i < 300; i++) {
                String body = "{\"email\":\"u" + i + "@example.com\",\"password\":\"correct horse\"}";
                // Half of them with the project's own key.
                String bearer = i % 2 == 0 ? null : "service";
                flood.add(threads.submit(() -> AUTH.call("flood234", "POST", "/signup", bearer, body)));
            }
            for (int i = 0; i < 5; i++) {
                neighbour.add(AUTH.post("quiet234", "/token?grant_type=password", user));
            }
        }
        assertThat(neighbour).extracting(Answer::status).containsOnly(200);
        List<Answer> refused = new ArrayList<>();
        for (Future<Answer> one : flood) {
            Answer answer = one.get();
            assertThat(answer.status()).as(answer.body().toString()).isIn(200, 503);
            if (answer.status() == 503) {
                refused.add(answer);
            }
        }
        assertThat(refused).isNotEmpty().allSatisfy(answer -> {
            assertThat(answer.text("error_code")).isIn("over_request_rate_limit", "unexpected_failure");
            assertThat(answer.body().toString()).isNotEqualTo("null");
        });
        assertThat(refused)
                .anySatisfy(answer -> assertThat(answer.http().headers().firstValue("Retry-After"))
                        .contains("1"));
    }
}
