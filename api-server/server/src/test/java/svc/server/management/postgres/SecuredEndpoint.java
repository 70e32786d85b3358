package svc.server.management.postgres;

import io.quarkus.arc.Arc;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import svc.embedded.kubernetes.http.TlsIdentity;
import svc.management.postgres.PostgresEndpoint;
import svc.management.postgres.PostgresEndpointConfig;

/**
 * A second endpoint of the running server, with a certificate for localhost. It is built by reflection, because a
 * server has one endpoint, and a server of its own would cost each run of the tests its start.
 */
final class SecuredEndpoint implements AutoCloseable {
    private final Path certificate;
    private final Path key;
    private final PostgresEndpoint endpoint;
    private Instant writtenAt = Instant.parse("2030-01-01T00:00:00Z");

    SecuredEndpoint(Path folder) throws IOException, ReflectiveOperationException {
        certificate = folder.resolve("tls.crt");
        key = folder.resolve("tls.key");
        present(TlsIdentity.generate(Clock.systemUTC()));
        endpoint = endpoint();
        call("start", StartupEvent.class);
    }

    private PostgresEndpoint endpoint() throws ReflectiveOperationException {
        Constructor<?> constructor = Arrays.stream(PostgresEndpoint.class.getDeclaredConstructors())
                .max(Comparator.comparingInt(Constructor::getParameterCount))
                .orElseThrow();
        constructor.setAccessible(true);
        Object[] beans = Arrays.stream(constructor.getParameterTypes())
                .map(type -> type == PostgresEndpointConfig.class ? config() : bean(type))
                .toArray();
        return (PostgresEndpoint) constructor.newInstance(beans);
    }

    private static <T> T bean(Class<T> type) {
        return Arc.container().instance(type).get();
    }

    /** The server's own settings but for the certificate. */
    private PostgresEndpointConfig config() {
        PostgresEndpointConfig plain = bean(PostgresEndpointConfig.class);
        return (PostgresEndpointConfig) Proxy.newProxyInstance(
                PostgresEndpointConfig.class.getClassLoader(),
                new Class<?>[] {PostgresEndpointConfig.class},
                (proxy, setting, none) -> switch (setting.getName()) {
                    case "certificate" -> Optional.of(certificate.toString());
                    case "key" -> Optional.of(key.toString());
                    default -> setting.invoke(plain);
                });
    }

    /** Writes the files of the certificate, as an update of a mounted Secret does. */
    void present(TlsIdentity identity) throws IOException {
        write(identity.certificatePem(), identity.keyPem());
    }

    void presentWhatIsNoCertificate() throws IOException {
        write("not PEM", "not PEM");
    }

    private void write(String certificatePem, String keyPem) throws IOException {
        Files.writeString(certificate, certificatePem);
        Files.writeString(key, keyPem);
        // Two writes within one tick of the file system's clock would look like one.
        writtenAt = writtenAt.plusSeconds(1);
        Files.setLastModifiedTime(certificate, FileTime.from(writtenAt));
        Files.setLastModifiedTime(key, FileTime.from(writtenAt));
    }

    int port() {
        return endpoint.port();
    }

    private void call(String observer, Class<?> event) throws ReflectiveOperationException {
        Method method = PostgresEndpoint.class.getDeclaredMethod(observer, event);
        method.setAccessible(true);
        method.invoke(endpoint, new Object[] {null});
    }

    @Override
    public void close() throws ReflectiveOperationException {
        call("stop", ShutdownEvent.class);
    }
}
