package svc.management.postgres;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.re2j.Pattern;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jboss.logging.Logger;
import svc.database.sql.SqlFragment;
import svc.management.query.OwnerReads;
import svc.management.query.SqlAuthorization;
import svc.platform.problem.ProblemException;
import svc.platform.tenancy.Tenant;

/** The version of the server behind a project: clients choose their queries of the catalog by it. */
@ApplicationScoped
class ServerVersions {
    private static final Pattern UNPRINTABLE = Pattern.compile("[^\\x20-\\x7e]");

    private static final Logger LOG = Logger.getLogger(ServerVersions.class);
    private static final Duration KEPT = Duration.ofMinutes(10);
    private static final int MAX_SERVERS = 1000;
    private static final int MAX_VERSION = 100;
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
            String server = tenant.database().jdbcUrl();
            String version = versions.getIfPresent(server);
            if (version == null) {
                // Not read within the cache: a server that does not answer would hold its lock, and a carrier thread.
                version = shown(reads.value(tenant, VERSION));
                versions.put(server, version);
            }
            return version;
        } catch (ProblemException e) {
            throw new SignIn.RefusedException(ErrorAnswer.of(e.problem()).asFatal());
        } catch (RuntimeException e) {
            LOG.debugf(e, "while reading the version of the server of %s", in.ref());
            throw new SignIn.RefusedException(ErrorAnswer.fatal("57P03", "the project's database does not answer")
                    .with('H', "Retry."));
        }
    }

    /** A server that a tenant chose may answer anything. */
    private static String shown(String version) {
        String printable = UNPRINTABLE.matcher(version).replaceAll("");
        return printable.substring(0, Math.min(printable.length(), MAX_VERSION));
    }

    /** The parameters that a session begins with. */
    static Map<String, String> parameters(String version, boolean readOnly) {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("server_version", version);
        values.put("server_encoding", "UTF8");
        values.put("client_encoding", "UTF8");
        values.put("application_name", "");
        values.put("DateStyle", "ISO, MDY");
        values.put("IntervalStyle", "postgres");
        values.put("TimeZone", "UTC");
        values.put("integer_datetimes", "on");
        values.put("standard_conforming_strings", "on");
        values.put("is_superuser", "off");
        values.put("session_authorization", SignIn.OWNER);
        values.put("default_transaction_read_only", readOnly ? "on" : "off");
        values.put("in_hot_standby", "off");
        return values;
    }
}
