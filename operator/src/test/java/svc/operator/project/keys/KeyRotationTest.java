package svc.operator.project.keys;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.crds.project.KeyVersion;
import svc.crds.project.KeysSpec;
import svc.crds.project.Project;
import svc.operator.testing.TestingOperator;

/** A higher version in {@code spec.keys} is another key; the one before overlaps as long as asked, not longer. */
class KeyRotationTest {
    private TestingOperator operator;

    @BeforeEach
    void start() {
        operator = TestingOperator.prepared().start();
    }

    @AfterEach
    void stop() {
        operator.close();
    }

    @Test
    void theNextVersionIsAnotherKeyAndStatusNamesTheOverlap() {
        operator.create("shop");
        String before = operator.ready("shop").getStatus().anonKey();
        Instant until = operator.clock().instant().plus(Duration.ofHours(1)).truncatedTo(ChronoUnit.SECONDS);

        operator.edit("shop", spec -> spec.keys(new KeysSpec(new KeyVersion(2, until), null, null, null)));
        Project rotated = operator.await(
                "shop", project -> project.isReady() && project.getStatus().keys().anon().version() == 2);

        assertThat(rotated.getStatus().anonKey()).isNotEqualTo(before);
        assertThat(rotated.getStatus().keys().anon().previousUntil()).isEqualTo(until);
        assertThat(rotated.getStatus().keys().service().version()).isEqualTo(1);
    }

    @Test
    void anOverlapEndsInTheStatusToo() {
        Instant until = operator.clock().instant().plus(Duration.ofHours(1)).truncatedTo(ChronoUnit.SECONDS);
        operator.create("shop");
        operator.ready("shop");
        operator.edit("shop", spec -> spec.keys(new KeysSpec(null, new KeyVersion(2, until), null, null)));
        operator.await("shop", project -> project.getStatus().keys().service().previousUntil() != null);

        operator.clock().advance(Duration.ofHours(2));

        operator.await("shop", project -> project.getStatus().keys().service().previousUntil() == null);
    }

    @Test
    void theNextVersionOfTheDatabaseKeyIsAnotherPassword() {
        operator.create("shop");
        String login = operator.ready("shop").getStatus().schema() + "_api";
        String before = verifier(login);

        operator.edit("shop", spec -> spec.keys(new KeysSpec(null, null, null, new KeyVersion(2, null))));
        operator.await(
                "shop", project -> project.getStatus().keys().database().version() == 2);

        assertThat(verifier(login)).isNotEqualTo(before);
        operator.awaitEvent("shop", "Updated");
    }

    private String verifier(String login) {
        return operator.query("SELECT rolpassword FROM pg_authid WHERE rolname = '" + login + "'");
    }
}
