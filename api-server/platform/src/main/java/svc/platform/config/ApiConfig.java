package svc.platform.config;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** The settings of an api-server, with their defaults. */
@ConfigMapping(prefix = "svc.api")
public interface ApiConfig {
    /**
     * The roles of this process: {@code control}, {@code data}, or both. The operator starts processes of the role {@code
     * realtime-sidecar} itself.
     */
    @WithDefault("control,data")
    Set<ServerRole> roles();

    Hosts hosts();

    Limits limits();

    Keys keys();

    Platform platform();

    Projects projects();

    Tokens tokens();

    /** Which Host header leads where. */
    interface Hosts {
        /** The control plane is at {@code api.<domain>}. */
        @WithDefault("localhost")
        String domain();

        /** Further names of the control plane, without a port. */
        Optional<List<String>> control();

        /** Whether a loopback address ({@code localhost}, {@code 127.0.0.1}, {@code [::1]}) is the control plane, too. */
        @WithDefault("false")
        boolean loopbackControl();

        /** A project is at {@code <ref>.<data>}. */
        @WithDefault("localhost")
        String data();

        /** Whether {@code /p/<ref>/…} on a control host leads to a project: for machines without wildcard DNS only. */
        @WithDefault("false")
        boolean pathStyle();

        /** Origins of web pages whose scripts may read answers, such as {@code https://app.example.com}; all if absent. */
        Optional<List<String>> corsOrigins();

        /** The control plane's public address with {@code /v1}, for links in answers. */
        @WithDefault("http://api.localhost:8000/v1")
        String baseUrl();
    }

    /** What a stranger may make this process keep, and for how long. A body that is too large is 413. */
    interface Limits {
        @WithDefault("2M")
        MemorySize controlBody();

        /** For calls that carry the code of a function. */
        @WithDefault("16M")
        MemorySize functionBody();

        /** For calls that carry migrations: a folder of 20 MB as JSON. */
        @WithDefault("24M")
        MemorySize migrationBody();

        @WithDefault("16M")
        MemorySize dataBody();

        /** For paths of a project that need no API key: anyone may send these bodies. */
        @WithDefault("64K")
        MemorySize openBody();

        /** The memory for requests and for answers that wait for their reader; 30 % of the heap if absent. */
        Optional<MemorySize> memory();

        /** In a second: a body that arrives more slowly is 408. */
        @WithDefault("16K")
        MemorySize bodyRate();

        /** How long a body may be slower at first. */
        @WithDefault("5s")
        Duration bodyGrace();

        Connections connections();
    }

    /** Connections of clients. */
    interface Connections {
        /** Open at the same time; by the heap if absent. Beyond it the one that was idle for longest is closed. */
        OptionalInt max();

        /** From one address, or one /64 of IPv6; half of {@link #max} if absent. Trusted proxies have no limit. */
        OptionalInt perAddress();

        /** How long a connection without a request is kept open. */
        @WithDefault("75s")
        Duration idle();

        /** How long the head of a request may take from its first byte on. */
        @WithDefault("15s")
        Duration head();

        /** How long an answer waits for a reader that takes nothing, or nearly nothing. */
        @WithDefault("30s")
        Duration stalled();
    }

    /** Where secrets come from: the master keys themselves (control plane, single machine) or roots of them. */
    interface Keys {
        /** Base64 of at least 32 bytes, by version. */
        Map<Integer, String> master();

        /** Exported roots, {@code svc_root_…}; what a data plane gets instead of a master key. */
        Optional<List<String>> roots();
    }

    /** The platform's own database. */
    interface Platform {
        /** JDBC address without credentials. */
        Optional<String> url();

        /** Only where the platform's login does not have its derived password. */
        Optional<String> password();
    }

    /** Where and how projects are made. */
    interface Projects {
        /** The namespace of the Project resources that this API makes and serves. */
        @WithDefault("svc")
        String namespace();

        /** Namespaces whose projects are served; all when empty. */
        Optional<List<String>> watch();

        /** The name of the one region that the Management API lists. */
        @WithDefault("local")
        String region();

        /** How long a create call waits for the project to become Ready before it answers COMING_UP. */
        @WithDefault("20s")
        Duration readyWait();
    }

    /** Personal access tokens. */
    interface Tokens {
        /** The first admin token of an installation, so that it can come from a Secret; made up when absent. */
        Optional<String> admin();

        /** How long a token lives that is prepared for CI. */
        @WithDefault("P90D")
        Duration ciLifetime();
    }
}
