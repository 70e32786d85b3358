package svc.auth.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Promise: refusals have GoTrue's shape, and an internal failure is a 5xx, for clients drop a session on a 4xx. */
class AuthErrorCodeTest {
    @ParameterizedTest
    @EnumSource(AuthErrorCode.class)
    void everyCodeHasAnErrorStatusAndAWord(AuthErrorCode code) {
        assertThat(code.status()).isBetween(400, 599);
        assertThat(code.code()).matches("[a-z0-9_]+");
        boolean internal =
                code.code().equals("unexpected_failure") || code.code().startsWith("hook_");
        boolean ours = code == AuthErrorCode.ADOPTED_DATABASE || code == AuthErrorCode.PASSWORD_QUEUE_FULL;
        assertThat(code.status() >= 500).isEqualTo(internal || ours);
    }
}
