package svc.management.postgres;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/** Settings of the endpoint that speaks PostgreSQL's protocol. */
@ConfigMapping(prefix = "svc.api.postgres")
public interface PostgresEndpointConfig {
    /** Where it listens; off if absent. */
    OptionalInt port();

    /** The address that it listens at. */
    @WithDefault("127.0.0.1")
    String host();

    /** PEM file of the certificate and its chain; clients must use TLS then. Read again when it changes. */
    Optional<String> certificate();

    /** PEM file of the certificate's private key. */
    Optional<String> key();

    /** Whether it may listen beyond loopback without a certificate: credentials would travel in the clear. */
    @WithDefault("false")
    boolean withoutTls();

    /** The host in answers of the Management API; the control plane's domain if absent. */
    Optional<String> publicHost();

    /** The port in answers of the Management API; {@link #port} if absent. */
    OptionalInt publicPort();

    /** Connections at the same time. */
    @WithDefault("200")
    int connections();

    /** Connections of one address, or one /64 of IPv6, that have not signed in yet. */
    @WithDefault("10")
    int perAddress();

    /** Connections of one project. */
    @WithDefault("20")
    int perProject();

    /** Statements of all connections that run, or whose answer is sent, at the same time; a project has a quarter. */
    @WithDefault("16")
    int statements();

    /** The memory for what clients have sent, and for what sessions keep of it; a project has a quarter. In bytes. */
    @WithDefault("33554432")
    long memory();

    /** How long a client may take to sign in. */
    @WithDefault("10s")
    Duration login();

    /** How long a connection may be without a statement. */
    @WithDefault("10m")
    Duration idle();

    /** How long an answer may wait for its reader. */
    @WithDefault("60s")
    Duration stalled();

    /** Statements a second of one project, beyond a burst of 20 seconds; an organisation has four times as many. */
    @WithDefault("50")
    int statementsPerSecond();

    /**
     * Seconds that statements of one project may run in a second, beyond a burst of 20 seconds: how many can always run. An
     * organisation has four times as many.
     */
    @WithDefault("2")
    double runningPerSecond();

    /** How long a statement waits for its turn under these rates. */
    @WithDefault("65s")
    Duration turn();

    /** How long a login role can sign in and work. */
    @WithDefault("10m")
    Duration credentialLifetime();
}
