package svc.operator.config;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The configuration of the operator, under {@code svc.}. Durations are ISO-8601 or Quarkus' short form ({@code
 * 5m}). Every key and its default is listed in docs/operator.md; a test holds the two together.
 */
@ConfigMapping(prefix = "svc")
public interface OperatorConfig {
    /** By version, 1 or higher. New projects use the highest; remove a version only when no project uses it. */
    Map<Integer, MasterKeySource> masterKeys();

    InstallationConfig installation();

    /** The shared databases, by the name that the registry records for their projects. Never rename one. */
    Map<String, DatabaseConfig> databases();

    /** Which of {@link #databases} has the platform schema with the registry of projects. */
    @WithDefault("main")
    String platformDatabase();

    /** A project's base URL; <code>{ref}</code> is replaced by its ref. */
    @WithDefault("https://{ref}.data.example")
    String dataUrl();

    RuntimeConfig runtime();

    ManagedPodsConfig managedPods();

    ReconcileConfig operator();

    AuditConfig audit();

    LogsConfig logs();

    WatchConfig watch();

    CrdConfig crds();

    ProjectServersConfig projectServers();

    /** Environment variables of realtime sidecars, such as the {@code SVC_REALTIME_…} of the data plane, by name. */
    Map<String, String> realtimeSidecars();

    /** Database servers that Projects name in connection Secrets; the API server has the same settings. */
    interface ProjectServersConfig {
        /**
         * The networks in which they may lie, in CIDR notation. Default: any address but loopback, link-local, multicast and
         * the platform's own servers.
         */
        Optional<List<String>> networks();

        /** Further servers of the platform that are closed while networks has its default: ranges or host names. */
        Optional<List<String>> closed();
    }

    /** One master key: 32 bytes or more, in base64. Set exactly one of the two. */
    interface MasterKeySource {
        /** A file with the key, such as a mounted Secret. */
        Optional<Path> file();

        /** The key itself; meant for an environment variable. */
        Optional<String> value();
    }

    /**
     * The Secrets that the platform's own pods start with. The operator creates missing ones, so that no credential is part of
     * a chart.
     */
    interface InstallationConfig {
        /**
         * The Secret of the master keys, in place of {@link OperatorConfig#masterKeys()}: each key of its data is a version, its value 32
         * bytes or more in base64.
         */
        Optional<String> masterKeySecret();

        /** Whether the operator creates a missing Secret with a random key. Off when an admin provides it. */
        @WithDefault("false")
        boolean makeMasterKey();

        /** The Secret with the control plane's derived keys, under the key {@code roots}. */
        Optional<String> controlPlaneSecret();

        /** The Secret with the data plane's derived keys. */
        Optional<String> dataPlaneSecret();

        /** The Secret for a first admin token, under the key {@code token}; created once. */
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

        /** Read again for each connection, so that a changed password needs no restart. */
        Optional<Path> passwordFile();

        /** Maximum number of connections. */
        @WithDefault("10")
        int poolMax();
    }

    /** Settings of edge functions. */
    interface RuntimeConfig {
        /**
         * The data plane's URL for functions, inside the cluster; <code>{ref}</code> is replaced by a project's ref. Default:
         * {@link #dataUrl}.
         */
        Optional<String> gatewayUrl();

        /** The namespace of the data plane's pods; no other pods may call functions. */
        @WithDefault("svc-system")
        String gatewayNamespace();

        /** CIDRs that functions may not reach, beside private and link-local ranges: public addresses of the cluster. */
        Optional<List<String>> closedNetworks();
    }

    /** Reconciliation of all kinds. */
    interface ReconcileConfig {
        /** Reconciles a resource after this long without an event; drift is repaired within it. */
        @WithDefault("5m")
        Duration driftInterval();

        /** Retry interval of a blocked deletion. */
        @WithDefault("30s")
        Duration deletionRetryInterval();

        RetryConfig retry();

        RateLimitConfig rateLimit();

        /** Maximum concurrent reconciliations: a few per core of the database. */
        @WithDefault("4")
        int concurrency();

        /** How long a stop waits for running reconciliations. */
        @WithDefault("25s")
        Duration terminationTimeout();

        /** The container image that runs functions. */
        @WithDefault("svc/function-runtime:0.1.0")
        String functionImage();

        /** The container image of realtime sidecars, the API server's. Without it there are none. */
        Optional<String> realtimeImage();

        /** Further extensions of shared databases, of those that projects may ask for. */
        Optional<List<String>> extensions();

        /** Empty: all namespaces. */
        Optional<List<String>> watchNamespaces();

        LeaderElectionConfig leaderElection();
    }

    /** Exponential backoff after a failure: {@code initial}, times {@code multiplier}, up to {@code max}; unlimited. */
    interface RetryConfig {
        @WithDefault("2s")
        Duration initial();

        @WithDefault("2")
        double multiplier();

        @WithDefault("5m")
        Duration max();
    }

    /** Maximum reconciliations of one resource: {@code limit} per {@code period}. */
    interface RateLimitConfig {
        @WithDefault("5")
        int limit();

        @WithDefault("10s")
        Duration period();
    }

    /** With several replicas only the leader reconciles; losing the lease ends its process. */
    interface LeaderElectionConfig {
        @WithDefault("false")
        boolean enabled();

        @WithDefault("svc-operator")
        String leaseName();

        /** Default: the namespace the operator runs in. */
        Optional<String> leaseNamespace();

        /** How long other replicas wait for a lease that is not renewed. */
        @WithDefault("15s")
        Duration leaseDuration();

        /** A leader that cannot renew for this long stops; must be shorter than {@link #leaseDuration}. */
        @WithDefault("10s")
        Duration renewDeadline();

        /** How often the leader renews. Default: 4 s, or 0.4 of {@link #renewDeadline} where that is shorter. */
        Optional<Duration> renewPeriod();

        /** How often the other replicas read the lease, to follow a leader that released it. */
        @WithDefault("0.8s")
        Duration retryPeriod();
    }

    /** The control plane's SQL audit log, whose partitions the operator maintains. */
    interface AuditConfig {
        /** Months to retain; a partition of a calendar month (UTC) is dropped when its last call is older. */
        @WithDefault("13")
        int retentionMonths();
    }

    /** The logs of projects, whose partitions the operator maintains. */
    interface LogsConfig {
        /** Days to retain; a partition of a day (UTC) is dropped when its last line is older. */
        @WithDefault("3")
        int retentionDays();
    }

    /** The watch on shared databases: what their projects may take of the server together with others. */
    interface WatchConfig {
        /** Whether sessions are watched. */
        @WithDefault("true")
        boolean enabled();

        /** Between two looks. */
        @WithDefault("250ms")
        Duration interval();

        /** The part of the server's table of locks that one project may hold. */
        @WithDefault("0.125")
        double lockShare();

        /** Age of a transaction of the data plane; longer than {@code svc.api.database.transaction-limit}. */
        @WithDefault("90s")
        Duration requestTime();

        /** Age of a transaction of a script; longer than {@code svc.api.sql.max-timeout}. */
        @WithDefault("6m")
        Duration scriptTime();

        /** How long autovacuum may work on a table whose indexes or statistics run a project's code. */
        @WithDefault("10s")
        Duration maintenanceTime();

        /** Temporary files of one project, in MiB. */
        @WithDefault("4096")
        long temporaryFilesMb();

        /** A project that uses more processors of the server than this, for over a minute, is warned. */
        @WithDefault("1.0")
        double processors();

        /** A project that writes more MiB of write-ahead log in a minute than this, for over a minute, is warned. */
        @WithDefault("2048")
        long walMbPerMinute();

        /** A project whose sessions were ended this often within the window is quarantined. */
        @WithDefault("6")
        int strikes();

        /** See {@link #strikes}. */
        @WithDefault("10m")
        Duration strikeWindow();

        /** A project with this many sessions that nothing ends is quarantined. */
        @WithDefault("2")
        int stuck();

        /** From a cancellation to a termination; a session that runs for twice as long after that is stuck. */
        @WithDefault("2s")
        Duration grace();
    }

    /** The custom resource definitions. */
    interface CrdConfig {
        /**
         * Whether the operator installs them at start. Off: the chart or an admin does, and the operator needs no privilege
         * for it.
         */
        @WithDefault("false")
        boolean apply();
    }
}
