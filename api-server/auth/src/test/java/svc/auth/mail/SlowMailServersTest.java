package svc.auth.mail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.auth.mail.MailFailedException.Cause;
import svc.embedded.mail.EmbeddedMail;
import svc.embedded.slow.DrippingServer;
import svc.platform.egress.AddressRules;
import svc.platform.egress.CallOwner;
import svc.platform.egress.HostLookup;

/** Mail servers of tenants that never finish an answer keep neither memory, connections nor the mails of others. */
class SlowMailServersTest {
    private static final Duration LONG = Duration.ofSeconds(120);
    private static final CallOwner ATTACKER = new CallOwner("attackers", "attacker");
    private static final CallOwner NEIGHBOUR = new CallOwner("neighbours", "neighbour");

    private static SmtpSender sender(Duration limit) {
        return new SmtpSender(
                new AddressRules(List.of(), List.of("127.0.0.1/32")),
                new HostLookup(List.of(), limit),
                (SSLSocketFactory) SSLSocketFactory.getDefault(),
                limit);
    }

    private static SmtpServer server(int port) {
        return new SmtpServer(
                "127.0.0.1",
                port,
                SmtpServer.Security.NONE,
                Optional.empty(),
                "sender@example.com",
                "",
                SmtpServer.Chooser.TENANT);
    }

    /** A line without an end, and an answer of lines without an end. */
    @ParameterizedTest
    @ValueSource(strings = {"220 ", "220 mail.test\r\n250-"})
    void aServerThatSendsWithoutEndIsCutOff(String greeting) throws Exception {
        try (var flooding = DrippingServer.flooding(greeting);
                var sender = sender(Duration.ofSeconds(20))) {
            assertThatThrownBy(() -> sender.probe(ATTACKER, server(flooding.port())))
                    .isInstanceOfSatisfying(
                            MailFailedException.class,
                            failed -> assertThat(failed.why()).isEqualTo(Cause.TOO_MUCH));
            await().until(() -> flooding.open() == 0);
            // What the kernel's buffers hold is sent as well.
            assertThat(flooding.sent()).isLessThan(32L << 20);
        }
    }

    @Test
    void aServerThatDripsIsCutOffAtTheDeadline() throws Exception {
        try (var dripping = DrippingServer.start("220-");
                var sender = sender(Duration.ofSeconds(1))) {
            assertThatThrownBy(() -> sender.probe(ATTACKER, server(dripping.port())))
                    .isInstanceOfSatisfying(
                            MailFailedException.class,
                            failed -> assertThat(failed.why()).isEqualTo(Cause.TOO_SLOW));
            await().until(() -> dripping.open() == 0);
        }
    }

    @Test
    void anOrganisationsSlowServersLeaveItsNeighboursTheirMails() throws Exception {
        try (var dripping = DrippingServer.start("220-");
                var mail = EmbeddedMail.start(EmbeddedMail.Settings.open(0));
                var sender = sender(LONG);
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> slow = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                var owner = new CallOwner("attackers", "attacker" + i % 50);
                slow.add(callers.submit(() -> sender.probe(owner, server(dripping.port()))));
            }
            await().until(() -> dripping.open() > 128);
            sender.probe(NEIGHBOUR, server(mail.port()));
            assertThat(slow).noneMatch(Future::isDone);
            assertThat(dripping.maxOpen()).isLessThan(200);
            callers.shutdownNow();
        }
    }
}
