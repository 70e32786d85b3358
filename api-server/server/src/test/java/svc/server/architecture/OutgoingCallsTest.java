package svc.server.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Promise: a server that answers slowly, or without end, keeps nothing beyond a deadline. The limits of libraries are those of
 * connecting, of silence or of the head of an answer: each leaves a connection that lasts for ever. So classes that connect are
 * few, and each says what ends its connections. Calls to addresses that a tenant names, or that a stranger's request causes, go
 * through {@code svc.platform.egress.EgressClient}. Connections to PostgreSQL are those of {@code svc.postgres} and {@code
 * svc.database}: each statement has a deadline, and each socket to a server of a tenant has limits ({@code BoundedSocket}).
 */
@AnalyzeClasses(
        packages = "svc",
        importOptions = {ImportOption.DoNotIncludeTests.class, BoundariesTest.WithoutFixtures.class})
class OutgoingCallsTest {
    /** Classes that connect, and what ends each of their connections. */
    private static final Map<String, String> CONNECTING = Map.ofEntries(
            Map.entry("svc.platform.egress.EgressClient", "the deadline of the call"),
            Map.entry("svc.platform.egress.HostLookup", "the limit of a lookup"),
            Map.entry("svc.auth.mail.SmtpSender", "the deadline of the conversation, and its limit of bytes"),
            Map.entry("svc.auth.mail.SmtpSocket", "SmtpSender"),
            Map.entry("svc.functions.EndpointClient", "the function's wall-clock limit (FunctionCall)"),
            Map.entry("svc.realtime.sidecar.SidecarClient", "the limit of an answer; sockets end with their caller"),
            Map.entry("svc.storage.content.S3ContentReader", "the limit of a read, with its repetitions"),
            Map.entry("svc.management.postgres.TlsIdentity", "a client's own connection, which the endpoint ends"),
            Map.entry("svc.platform.s3.PlatformBucket", "the SDK's limit of a call, with its repetitions"));

    /** Tests with servers that never finish: each of these classes speaks to servers that tenants choose. */
    private static final Map<String, String> HOSTILE = Map.of(
            "svc.platform.egress.EgressClient", "platform/src/test/java/svc/platform/egress/SlowReceiversTest.java",
            "svc.auth.mail.SmtpSender", "auth/src/test/java/svc/auth/mail/SlowMailServersTest.java");

    private static final Map<String, Set<String>> CONNECT = Map.ofEntries(
            Map.entry(
                    "io.vertx.core.Vertx",
                    Set.of(
                            "createHttpClient",
                            "httpClientBuilder",
                            "createNetClient",
                            "createDnsClient",
                            "createDatagramSocket",
                            "createWebSocketClient")),
            Map.entry("io.vertx.ext.web.client.WebClient", Set.of("create", "wrap")),
            Map.entry("java.net.http.HttpClient", Set.of("newHttpClient", "newBuilder")),
            Map.entry("java.net.URL", Set.of("openConnection", "openStream")),
            Map.entry("java.nio.channels.SocketChannel", Set.of("open")),
            Map.entry("java.nio.channels.DatagramChannel", Set.of("open")),
            Map.entry("java.nio.channels.AsynchronousSocketChannel", Set.of("open")),
            Map.entry("javax.net.SocketFactory", Set.of("createSocket")),
            Map.entry("javax.net.ssl.SSLSocketFactory", Set.of("createSocket")),
            Map.entry("java.net.Socket", Set.of("<init>")),
            Map.entry("java.net.DatagramSocket", Set.of("<init>")),
            Map.entry("io.netty.bootstrap.Bootstrap", Set.of("<init>")),
            Map.entry("io.netty.resolver.dns.DnsNameResolverBuilder", Set.of("<init>")),
            Map.entry("jakarta.mail.Transport", Set.of("send", "connect")));

    @ArchTest
    static void everyClassThatConnectsSaysWhatEndsIt(JavaClasses classes) {
        Set<String> found = new TreeSet<>();
        classes.stream()
                .filter(type -> !type.getPackageName().startsWith("svc.postgres")
                        && !type.getPackageName().startsWith("svc.database"))
                .filter(OutgoingCallsTest::connects)
                .forEach(type -> found.add(outermost(type)));
        assertThat(found)
                .as("call through EgressClient, or say here what ends the connection")
                .isEqualTo(new TreeSet<>(CONNECTING.keySet()));
    }

    @ArchTest
    static void serversOfTenantsHaveAHostileTest(JavaClasses classes) throws IOException {
        for (Map.Entry<String, String> test : HOSTILE.entrySet()) {
            assertThat(classes.contain(test.getKey())).as(test.getKey()).isTrue();
            assertThat(Files.readString(Path.of("..", test.getValue())))
                    .contains("DrippingServer.start(", "DrippingServer.flooding(", "NEIGHBOUR");
        }
    }

    private static boolean connects(JavaClass type) {
        return type.getCodeUnitCallsFromSelf().stream().anyMatch(OutgoingCallsTest::isConnecting);
    }

    private static boolean isConnecting(JavaCall<?> call) {
        JavaClass owner = call.getTargetOwner();
        String name = call.getTarget().getName();
        boolean ofSdk = owner.getPackageName().startsWith("software.amazon.awssdk")
                && name.equals("builder")
                && (owner.getSimpleName().endsWith("HttpClient")
                        || owner.getSimpleName().endsWith("S3Client"));
        return ofSdk
                || CONNECT.entrySet().stream()
                        .anyMatch(kind -> kind.getValue().contains(name) && owner.isAssignableTo(kind.getKey()));
    }

    private static String outermost(JavaClass type) {
        int nested = type.getName().indexOf('$');
        return nested < 0 ? type.getName() : type.getName().substring(0, nested);
    }
}
