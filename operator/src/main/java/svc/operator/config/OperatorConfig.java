package svc.operator.config;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything that can be set on the operator, under {@code svc.}. Durations are ISO-8601 or Quarkus' short form ({@code
 * 5m}). Every key and its default is listed in docs/operator.md; a test holds the two together.
 */
@ConfigMapping(prefix = "svc")
public interface OperatorConfig {
    /** By version, 1 or higher. New projects take the highest; a version may go when no project names it any more. */
    Map<Integer, MasterKeySource> masterKeys();

    InstallationConfig installation();

    /** The shared databases, by the name under which the registry records where a project is. Never rename one. */
    Map<String, DatabaseConfig> databases();

    /** Which of {@link #databases} holds the platform schema, and with it the registry of who owns what. */
    @WithDefault("main")
    String platformDatabase();

    /** A project's base address; <code>{ref}</code> stands for its ref. */
    @WithDefault("https://{ref}.data.example")
    String dataUrl();

    RuntimeConfig runtime();

    ReconcileConfig operator();

    AuditConfig audit();

    CrdConfig crds();

    /** One master key: 32 bytes or more, in base64. Exactly one of the two is given. */
    interface MasterKeySource {
        /** A file that holds the key, as a mounted Secret does. */
        Optional<Path> file();

        /** The key itself; meant for an environment variable. */
        Optional<String> value();
    }

    /**
     * The Secrets that the platform's own pods start with, as a chart wants them: the operator makes those that are missing,
     * so that no credential is ever part of a chart.
     */
    interface InstallationConfig {
        /**
         * The Secret of the master keys, in place of {@link OperatorConfig#masterKeys()}: each key of its data is a version, its value 32
         * bytes or more in base64.
         */
        Optional<String> masterKeySecret();

        /** Whether a missing one is made, with one random key. Off where somebody brings it. */
        @WithDefault("false")
        boolean makeMasterKey();

        /** Where the control plane finds the roots of its purposes, under the key {@code roots}. */
        Optional<String> controlPlaneSecret();

        /** The same for the data plane. */
        Optional<String> dataPlaneSecret();

        /** Where a first admin token is left, under the key {@code token}, if there is none yet. */
        Optional<String> adminTokenSecret();

        /** The namespace of these Secrets. Default: the one the operator runs in. */
        Optional<String> namespace();
    }

    /** One shared database and its provisioning login, a superuser (DESIGN §4). */
    interface DatabaseConfig {
        String jdbcUrl();

        @WithDefault("svc_operator")
        String username();

        /** Used when {@link #passwordFile} is not given. */
        Optional<String> password();

        /** Read anew for each connection, so that a changed password needs no restart. */
        Optional<Path> passwordFile();

        /** Connections at most. */
        @WithDefault("10")
        int poolMax();
    }

    /** What edge functions run with. */
    interface RuntimeConfig {
        /**
         * Where functions reach the data plane, from inside the cluster; <code>{ref}</code> stands for a project's ref. Default:
         * {@link #dataUrl}.
         */
        Optional<String> gatewayUrl();

        /** The namespace of the data plane's pods, which alone may call functions. */
        @WithDefault("svc-system")
        String gatewayNamespace();

        /** CIDRs that functions may not reach, beside private and link-local ranges: public addresses of the cluster. */
        Optional<List<String>> closedNetworks();
    }

    /** How the operator works, not what it builds. */
    interface ReconcileConfig {
        /** A project is looked at again after this long without an event; the limit within which drift comes back. */
        @WithDefault("5m")
        Duration driftInterval();

        /** How long a deletion that could not finish waits for its next try. */
        @WithDefault("30s")
        Duration deletionRetryInterval();

        RetryConfig retry();

        RateLimitConfig rateLimit();

        /** Projects reconciled at the same time: some for each core of the database; more only wait for each other. */
        @WithDefault("4")
        int concurrency();

        /** A stop waits this long for reconciliations under way. */
        @WithDefault("25s")
        Duration terminationTimeout();

        /** The container image that runs functions. */
        @WithDefault("svc/function-runtime:0.1.0")
        String functionImage();

        /** Empty: all namespaces. */
        Optional<List<String>> watchNamespaces();

        LeaderElectionConfig leaderElection();
    }

    /** After a failure: {@code initial}, then times {@code multiplier}, up to {@code max}, for ever. */
    interface RetryConfig {
        @WithDefault("2s")
        Duration initial();

        @WithDefault("2")
        double multiplier();

        @WithDefault("5m")
        Duration max();
    }

    /** Reconciliations of one project at most: {@code limit} in {@code period}. */
    interface RateLimitConfig {
        @WithDefault("5")
        int limit();

        @WithDefault("10s")
        Duration period();
    }

    /** With more than one replica exactly one works; losing the lease ends its process. */
    interface LeaderElectionConfig {
        @WithDefault("false")
        boolean enabled();

        @WithDefault("svc-operator")
        String leaseName();

        /** Default: the namespace the operator runs in. */
        Optional<String> leaseNamespace();

        /** How long a lease that is not renewed keeps the others waiting. */
        @WithDefault("15s")
        Duration leaseDuration();

        /** A leader that could not renew for so long gives up; shorter than {@link #leaseDuration}. */
        @WithDefault("10s")
        Duration renewDeadline();

        /** How often the leader renews, and the others look. */
        @WithDefault("2s")
        Duration retryPeriod();
    }

    /** The control plane's log of who ran SQL where; its tables are this operator's to keep. */
    interface AuditConfig {
        /** A call is kept for so many months, and goes with the last of its calendar month (UTC). */
        @WithDefault("13")
        int retentionMonths();
    }

    /** The custom resource definitions. */
    interface CrdConfig {
        /**
         * Whether the operator installs them when it starts. Off: the chart or an admin does, and the operator needs no
         * right to.
         */
        @WithDefault("false")
        boolean apply();
    }
}
