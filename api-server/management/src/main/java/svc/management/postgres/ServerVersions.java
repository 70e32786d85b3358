package svc.management.postgres;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import svc.database.sql.SqlFragment;
import svc.management.query.OwnerReads;
import svc.management.query.SqlAuthorization;
import svc.platform.problem.ProblemException;
import svc.platform.tenancy.Tenant;

/** The version of the server behind a project: clients choose their queries of the catalog by it. */
@ApplicationScoped
class ServerVersions {
    private static final Duration KEPT = Duration.ofMinutes(10);
    private static final int MAX_SERVERS = 1000;
    private static final SqlFragment VERSION = SqlFragment.of("SELECT pg_catalog.current_setting('server_version')");

    private final OwnerReads reads;
    private final SqlAuthorization authorization;
    private final Cache<String, String> versions = Caffeine.newBuilder()
            .maximumSize(MAX_SERVERS)
            .expireAfterWrite(KEPT)
            .build();

    ServerVersions(OwnerReads reads, SqlAuthorization authorization) {
        this.reads = reads;
        this.authorization = authorization;
    }

    String of(SignedIn in) throws SignIn.RefusedException {
        try {
            Tenant tenant = authorization.tenant(in.holder().get(), in.ref());
            return versions.get(tenant.database().jdbcUrl(), any -> reads.value(tenant, VERSION));
        } catch (ProblemException e) {
            throw new SignIn.RefusedException(ErrorAnswer.of(e.problem()).asFatal());
        }
    }

    /** The parameters that a session begins with. */
    static Map<String, String> parameters(String version, Map<String, String> asked, boolean readOnly) {
        Map<String, String> told = new LinkedHashMap<>();
        told.put("server_version", version);
        told.put("server_encoding", "UTF8");
        told.put("client_encoding", "UTF8");
        told.put("application_name", asked.getOrDefault("application_name", ""));
        told.put("DateStyle", "ISO, MDY");
        told.put("IntervalStyle", "postgres");
        told.put("TimeZone", "UTC");
        told.put("integer_datetimes", "on");
        told.put("standard_conforming_strings", "on");
        told.put("is_superuser", "off");
        told.put("session_authorization", SignIn.OWNER);
        told.put("default_transaction_read_only", readOnly ? "on" : "off");
        told.put("in_hot_standby", "off");
        return told;
    }
}
