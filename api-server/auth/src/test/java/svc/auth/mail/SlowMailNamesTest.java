package svc.auth.mail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.Test;
import svc.embedded.mail.EmbeddedMail;
import svc.embedded.names.EmbeddedNames;
import svc.platform.egress.AddressRules;
import svc.platform.egress.CallOwner;
import svc.platform.egress.HostLookup;

/** A tenant whose mail server has a name that no name server answers for keeps none of the threads that send mails. */
class SlowMailNamesTest {
    private static final int MORE_THAN_THERE_ARE_THREADS = 300;
    private static final CallOwner OWNER = new CallOwner("organization", "project");
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @Test
    void aNeighboursMailIsSentMeanwhile() throws Exception {
        try (var names = new EmbeddedNames();
                var mail = EmbeddedMail.start(EmbeddedMail.Settings.open(0));
                var hosts = new HostLookup(List.of(names.address()), LIMIT);
                var sender = new SmtpSender(
                        new AddressRules(List.of(), List.of("127.0.0.1/32")),
                        hosts,
                        (SSLSocketFactory) SSLSocketFactory.getDefault(),
                        LIMIT);
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> slow = new ArrayList<>();
            for (int i = 0; i < MORE_THAN_THERE_ARE_THREADS; i++) {
                String host = "slow" + i + ".test";
                slow.add(callers.submit(() -> sender.probe(OWNER, server(host, 25))));
            }
            names.awaitQuiet();

            sender.probe(OWNER, server("good.test", mail.port()));

            assertThat(slow).noneMatch(Future::isDone);
            assertThatThrownBy(() -> sender.probe(OWNER, server("inside.test", mail.port())))
                    .isInstanceOfSatisfying(
                            MailFailedException.class,
                            refused -> assertThat(refused.why()).isEqualTo(MailFailedException.Cause.REFUSED_ADDRESS));
            callers.shutdownNow();
        }
    }

    private static SmtpServer server(String host, int port) {
        return new SmtpServer(
                host,
                port,
                SmtpServer.Security.NONE,
                Optional.empty(),
                "sender@example.com",
                "",
                SmtpServer.Chooser.TENANT);
    }
}
