package svc.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.auth.AuthForTests.Answer;
import svc.auth.mail.MailForTests;
import svc.embedded.mail.CaughtMail;
import svc.embedded.mail.EmbeddedMail;
import svc.testing.TestingProjects;

/** Promise: a project's mails go out by its own server, over TLS that was checked, and a mail that does not go out changes nothing. */
class MailServersTest {
    private static final char[] NO_PASSWORD = new char[0];
    private static final Identity LOCAL = Identity.of(new GeneralName(GeneralName.dNSName, "localhost"));
    private static final Identity ELSEWHERE = Identity.of(new GeneralName(GeneralName.dNSName, "mail.example.com"));
    private static final SSLContext TLS = LOCAL.context(LOCAL, ELSEWHERE);
    private static final EmbeddedMail SERVER = EmbeddedMail.start(new EmbeddedMail.Settings(
            0, Optional.of(TLS), Optional.of(new EmbeddedMail.Login("shop", "s3cret")), to -> !to.startsWith("nobox")));
    private static final TestingProjects PROJECTS = TestingProjects.create();
    private static final AuthForTests AUTH =
            new AuthForTests(PROJECTS, MailForTests.ofProjects(TLS.getSocketFactory(), Duration.ofSeconds(6)));

    @AfterAll
    static void close() {
        AUTH.close();
        SERVER.close();
    }

    /** A certificate for any name: the test trusts both certificates of this class. */
    private record Identity(PrivateKey key, X509Certificate certificate) {
        static Identity of(GeneralName... names) {
            try {
                KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
                generator.initialize(new ECGenParameterSpec("secp256r1"));
                KeyPair pair = generator.generateKeyPair();
                var name = new X500Name("CN=a mail server");
                var builder = new JcaX509v3CertificateBuilder(
                        name,
                        BigInteger.valueOf(System.nanoTime()),
                        Date.from(Instant.now().minusSeconds(60)),
                        Date.from(Instant.now().plusSeconds(3600)),
                        name,
                        pair.getPublic());
                builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
                builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(names));
                return new Identity(
                        pair.getPrivate(),
                        new JcaX509CertificateConverter()
                                .getCertificate(builder.build(
                                        new JcaContentSignerBuilder("SHA256withECDSA").build(pair.getPrivate()))));
            } catch (GeneralSecurityException | OperatorCreationException | IOException e) {
                throw new IllegalStateException(e);
            }
        }

        SSLContext context(Identity... trusted) {
            try {
                KeyStore store = KeyStore.getInstance("PKCS12");
                store.load(null, NO_PASSWORD);
                store.setKeyEntry("server", key, NO_PASSWORD, new Certificate[] {certificate});
                for (Identity other : trusted) {
                    store.setCertificateEntry(
                            other.certificate().getSerialNumber().toString(), other.certificate());
                }
                var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
                keys.init(store, NO_PASSWORD);
                var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
                trust.init(store);
                SSLContext context = SSLContext.getInstance("TLS");
                context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
                return context;
            } catch (GeneralSecurityException | IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static String smtp(String host, int port, String more) {
        return "{\"siteUrl\":\"https://app.example.com\",\"rateLimits\":{\"emailsPerHour\":1000},\"smtp\":{\"host\":\""
                + host + "\",\"port\":" + port + ",\"from\":\"hello@shop.example\"" + more + "}}";
    }

    private static String withLogin(String host, int port) {
        return smtp(
                host,
                port,
                ",\"senderName\":\"Zoë's Shop\",\"username\":\"shop\",\"passwordSecretRef\":{\"name\":\"smtp\",\"key\":\"password\"}");
    }

    private static Answer signUp(String ref, String email) {
        return AUTH.post(ref, "/signup", "{\"email\":\"" + email + "\",\"password\":\"correct horse\"}");
    }

    private static void nothingLeft(String ref) {
        String schema = AUTH.auth(ref);
        assertThat(PROJECTS.ask("SELECT (SELECT count(*) FROM " + schema + ".users) + (SELECT count(*) FROM " + schema
                        + ".one_time_tokens) + (SELECT count(*) FROM " + schema + ".identities)"))
                .isEqualTo("0");
    }

    private static void refused(String ref, Answer answer, int status, String words) {
        assertThat(answer.status()).as(answer.body().toString()).isEqualTo(status);
        assertThat(answer.text("msg")).contains(words);
        nothingLeft(ref);
    }

    @Test
    void aProjectsOwnServerTakesItsMails() {
        AUTH.project("own23456", withLogin("localhost", SERVER.port()));
        AUTH.secret("own23456", "smtp", "password", "s3cret");
        assertThat(signUp("own23456", "ann@example.com").status()).isEqualTo(200);
        CaughtMail mail = SERVER.to("ann@example.com").getFirst();
        assertThat(mail.from()).isEqualTo("hello@shop.example");
        assertThat(mail.raw())
                .contains("From: =?UTF-8?")
                .contains("<hello@shop.example>")
                .contains("Auto-Submitted: auto-generated");
        assertThat(mail.raw()).as("nothing of this machine").doesNotContain(System.getProperty("user.name") + "@");
    }

    @Test
    void aSecretThatIsNotThereOrIsWrongSendsNothing() {
        AUTH.project("key23456", withLogin("localhost", SERVER.port()));
        refused("key23456", signUp("key23456", "bob@example.com"), 500, "passwordSecretRef");
        AUTH.secret("key23456", "smtp", "password", "wrong");
        refused("key23456", signUp("key23456", "bob@example.com"), 500, "refused the login");
        AUTH.secret("key23456", "smtp", "password", "s3cret");
        assertThat(signUp("key23456", "bob@example.com").status())
                .as("no mail went out, so none has to be waited for")
                .isEqualTo(200);
    }

    @Test
    void aMailboxThatDoesNotExistIsAnAddressThatCannotBeUsed() {
        AUTH.project("box23456", withLogin("localhost", SERVER.port()));
        AUTH.secret("box23456", "smtp", "password", "s3cret");
        Answer refused = signUp("box23456", "nobox@example.com");
        assertThat(refused.text("error_code")).isEqualTo("email_address_invalid");
        refused("box23456", refused, 400, "does not take mails to this address");
    }

    @Test
    void aServerWithoutTlsReceivesNoMail() {
        try (EmbeddedMail clear = EmbeddedMail.start(EmbeddedMail.Settings.open(0))) {
            AUTH.project("clear234", smtp("localhost", clear.port(), ""));
            refused("clear234", signUp("clear234", "cat@example.com"), 500, "offers no TLS");
            assertThat(clear.mails()).isEmpty();
        }
    }

    private static void pretending(Identity identity) {
        try (EmbeddedMail other = EmbeddedMail.start(
                new EmbeddedMail.Settings(0, Optional.of(identity.context()), Optional.empty(), to -> true))) {
            AUTH.project("false234", smtp("localhost", other.port(), ""));
            refused("false234", signUp("false234", "dan@example.com"), 500, "certificate");
            assertThat(other.mails()).isEmpty();
        }
    }

    @Test
    void aCertificateOfAnUnknownAuthorityIsRefused() {
        pretending(Identity.of(new GeneralName(GeneralName.dNSName, "localhost")));
    }

    @Test
    void aCertificateOfAnotherNameIsNone() {
        pretending(ELSEWHERE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.2",
                "10.0.0.1",
                "192.168.1.1",
                "172.16.0.1",
                "169.254.169.254",
                "100.64.0.1",
                "0.0.0.0",
                "::1",
                "fd00::1",
                "fe80::1",
                "::ffff:10.0.0.1",
                "2130706434"
            })
    void aServerInsideIsNotCalled(String host) {
        AUTH.project("inside23", smtp(host, 25, ""));
        Answer refused = signUp("inside23", "eve@example.com");
        refused("inside23", refused, 500, "is not public");
        assertThat(refused.text("msg")).as("nothing of the network is told").doesNotContain(host);
    }

    @Test
    void aServerThatHangsDelaysARequestOnlyBriefly() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            AUTH.project("slow2345", smtp("localhost", silent.getLocalPort(), ""));
            refused("slow2345", signUp("slow2345", "fay@example.com"), 503, "took too long");
        }
    }

    @Test
    void withoutAnyServerTheErrorSaysWhatToDo() {
        AUTH.project("none2345", "{\"siteUrl\":\"https://app.example.com\"}");
        refused("none2345", signUp("none2345", "gil@example.com"), 500, "spec.auth.smtp");
        for (String path : List.of("/otp", "/otp", "/recover", "/recover")) {
            assertThat(AUTH.post("none2345", path, "{\"email\":\"gil@example.com\"}")
                            .status())
                    .as("known or not, the same; and a mail that does not go out spaces nothing")
                    .isEqualTo(500);
        }
        assertThat(AUTH.call(
                                "none2345",
                                "POST",
                                "/admin/generate_link",
                                "service",
                                "{\"type\":\"magiclink\",\"email\":\"gil@example.com\"}")
                        .status())
                .as("what sends nothing needs no server")
                .isEqualTo(200);
    }

    @Test
    void addressesInOtherAlphabetsArriveOrAreRefused() {
        AUTH.project("alpha234", withLogin("localhost", SERVER.port()));
        AUTH.secret("alpha234", "smtp", "password", "s3cret");
        assertThat(signUp("alpha234", "hal@bücher.example").status()).isEqualTo(200);
        assertThat(SERVER.to("hal@xn--bcher-kva.example")).hasSize(1);
        Answer unicode = signUp("alpha234", "žofie@example.com");
        assertThat(unicode.status()).as(unicode.body().toString()).isIn(200, 400);
        assertThat(signUp("alpha234", "ｆull@example.com").status()).isLessThan(500);
    }

    @Test
    void aHookOfTheProjectSendsInPlaceOfAServer() {
        AUTH.project("hooked23", "{\"siteUrl\":\"https://app.example.com\"}");
        AUTH.asOwner(
                "hooked23",
                "CREATE TABLE sent (event jsonb); CREATE FUNCTION send_mail(event jsonb) RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER AS"
                        + " $$ BEGIN INSERT INTO " + AUTH.auth("hooked23").replaceAll("_auth$", "")
                        + ".sent VALUES (event); RETURN '{}'; END $$;"
                        + " GRANT EXECUTE ON FUNCTION send_mail TO " + AUTH.role("hooked23", "system"));
        AUTH.settings(
                "hooked23",
                "{\"siteUrl\":\"https://app.example.com\",\"hooks\":{\"sendEmail\":{\"function\":\"public.send_mail\"}}}");
        Answer user = signUp("hooked23", "ida@example.com");
        assertThat(user.status()).as(user.body().toString()).isEqualTo(200);
        String schema = AUTH.auth("hooked23").replaceAll("_auth$", "");
        assertThat(PROJECTS.ask("SELECT event -> 'email_data' ->> 'email_action_type' FROM " + schema + ".sent"))
                .isEqualTo("signup");
        String code = PROJECTS.ask("SELECT event -> 'email_data' ->> 'token' FROM " + schema + ".sent");
        assertThat(AUTH.post(
                                "hooked23",
                                "/verify",
                                "{\"type\":\"signup\",\"email\":\"ida@example.com\",\"token\":\"" + code + "\"}")
                        .status())
                .isEqualTo(200);
    }
}
