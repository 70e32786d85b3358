package svc.operator.project.keys;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.crds.project.Project;
import svc.operator.testing.TestingOperator;

/** A second master key serves new projects, disturbs no old one, and takes those over that an admin moves. */
class MasterKeyRotationTest {
    private static final String SECOND =
            Base64.getEncoder().encodeToString("a-second-master-key-of-32-bytes!".getBytes(StandardCharsets.US_ASCII));

    private TestingOperator operator;

    @BeforeEach
    void start() {
        operator = TestingOperator.prepared().start();
    }

    @AfterEach
    void stop() {
        // The platform's logins belong to the server that all tests share: the next operator sets them back.
        operator.close();
    }

    @Test
    void oldProjectsStayUntilTheyAreMoved() {
        operator.create("old");
        Project before = operator.ready("old");
        String login = before.getStatus().schema() + "_api";
        String verifier = verifier(login);

        operator.stop();
        operator.with("svc.master-keys.2.value", SECOND).start();
        operator.create("new");
        assertThat(operator.ready("new").getStatus().masterKeyVersion()).isEqualTo(2);
        assertThat(operator.get("old").getStatus()).isEqualTo(before.getStatus());
        assertThat(verifier(login)).isEqualTo(verifier);

        operator.sql("UPDATE svc_platform.project SET master_key_version = 2 WHERE master_key_version = 1");
        Project moved = operator.await(
                "old", project -> project.isReady() && project.getStatus().masterKeyVersion() == 2);
        assertThat(moved.getStatus().anonKey()).isNotEqualTo(before.getStatus().anonKey());
        assertThat(moved.getStatus().ref()).isEqualTo(before.getStatus().ref());
        assertThat(verifier(login)).isNotEqualTo(verifier);
    }

    private String verifier(String login) {
        return operator.query("SELECT rolpassword FROM pg_authid WHERE rolname = '" + login + "'");
    }
}
