package svc.auth.mail;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.mail.MessagingException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import org.junit.jupiter.api.Test;

/** The cause of a failure of the mail library, as users read it. */
class SmtpFailuresTest {
    private static MailFailedException.Cause cause(Exception cause) {
        return SmtpFailures.named(new MessagingException("Exception reading response", cause))
                .why();
    }

    /** The thread that speaks and the one that waits for it have the same limit: either may notice first. */
    @Test
    void aServerThatIsSilentForTheWholeLimitIsTooSlow() {
        assertThat(cause(new SocketTimeoutException("Read timed out"))).isEqualTo(MailFailedException.Cause.TOO_SLOW);
    }

    @Test
    void aServerThatIsNotThereCannotBeReached() {
        assertThat(cause(new ConnectException("Connection refused"))).isEqualTo(MailFailedException.Cause.UNREACHABLE);
    }
}
