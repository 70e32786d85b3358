package svc.standalone;

import java.util.LinkedHashMap;
import java.util.Map;
import svc.embedded.s3.EmbeddedS3;

/** The configuration of operator and API server that fits the machine they run on. Pure: same machine, same settings. */
final class PlatformSettings {
    /** The domain whose sub-domains are projects. */
    static final String DATA_HOST = "localhost";

    private static final String BUCKET = "svc";

    private PlatformSettings() {}

    /**
     * Addresses and credentials of the servers of this machine.
     *
     * @param masterKey base64, of 32 bytes
     * @param postgresPort of the PostgreSQL endpoint
     * @param functionSockets the folder of the sockets that functions take requests on
     * @param sidecars whether realtime sidecars can run
     */
    record Addresses(
            int port,
            int postgresPort,
            String jdbcUrl,
            String databasePassword,
            String redisUrl,
            String kubernetesUrl,
            String kubernetesToken,
            String kubernetesCertificate,
            String masterKey,
            String adminToken,
            String s3Endpoint,
            EmbeddedS3.Credentials s3Credentials,
            int mailPort,
            String functionSockets,
            boolean sidecars) {}

    /** Configuration keys and values, in the form of system properties. */
    static Map<String, String> of(Addresses at) {
        var settings = new LinkedHashMap<String, String>();
        settings.put("quarkus.http.host", "127.0.0.1");
        settings.put("quarkus.http.port", Integer.toString(at.port()));
        settings.put("quarkus.kubernetes-client.api-server-url", at.kubernetesUrl());
        settings.put("quarkus.kubernetes-client.token", at.kubernetesToken());
        settings.put("quarkus.kubernetes-client.ca-cert-data", at.kubernetesCertificate());
        settings.put("quarkus.kubernetes-client.namespace", LocalServers.NAMESPACE);
        settings.put("quarkus.redis.hosts", at.redisUrl());

        settings.put("svc.platform-database", "main");
        settings.put("svc.databases.main.jdbc-url", at.jdbcUrl());
        settings.put("svc.databases.main.password", at.databasePassword());
        settings.put("svc.master-keys.1.value", at.masterKey());
        settings.put("svc.data-url", "http://{ref}.localhost:" + at.port());

        settings.put("svc.api.roles", "control,data");
        settings.put("svc.api.hosts.domain", "localhost");
        settings.put("svc.api.hosts.data", "localhost");
        settings.put("svc.api.hosts.loopback-control", "true");
        settings.put("svc.api.hosts.path-style", "true");
        settings.put("svc.api.hosts.base-url", "http://127.0.0.1:" + at.port() + "/v1");
        settings.put("svc.api.keys.master.1", at.masterKey());
        settings.put("svc.api.platform.url", at.jdbcUrl());
        settings.put("svc.api.postgres.port", Integer.toString(at.postgresPort()));
        settings.put("svc.api.projects.namespace", LocalServers.NAMESPACE);
        settings.put("svc.api.tokens.admin", at.adminToken());

        settings.put("svc.api.s3.endpoint", at.s3Endpoint());
        settings.put("svc.api.s3.region", "us-east-1");
        settings.put("svc.api.s3.bucket", BUCKET);
        settings.put("svc.api.s3.access-key", at.s3Credentials().accessKey());
        settings.put("svc.api.s3.secret-key", at.s3Credentials().secretKey());
        settings.put("svc.api.s3.path-style", "true");
        settings.put("svc.api.functions.sockets", at.functionSockets());
        if (at.sidecars()) {
            // The runner of sidecars knows no images.
            settings.put("svc.operator.realtime-image", "svc/api-server");
            settings.put("svc.realtime.sidecar.loopback", "true");
        }
        settings.put("svc.mail.host", "127.0.0.1");
        settings.put("svc.mail.port", Integer.toString(at.mailPort()));
        settings.put("svc.mail.security", "NONE");
        settings.put("svc.mail.from", "noreply@svc.localhost");
        // Only these event loops speak over unix sockets. They cannot drive a database session, which then has a loop
        // of its
        // own: a wake more for each REST request, on this machine and not on a cluster.
        settings.put("quarkus.vertx.prefer-native-transport", "true");
        // By name, and through the pod runner's socket: functions cannot reach this machine's addresses.
        settings.put("svc.runtime.gateway-url", "http://{ref}." + DATA_HOST + ":" + at.port());
        return settings;
    }
}
