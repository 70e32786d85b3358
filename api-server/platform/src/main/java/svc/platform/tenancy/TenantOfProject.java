package svc.platform.tenancy;

import java.time.Instant;
import java.util.Base64;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import svc.crds.condition.Condition;
import svc.crds.condition.Conditions;
import svc.crds.project.ActiveKey;
import svc.crds.project.ActiveKeys;
import svc.crds.project.AdoptedLogins;
import svc.crds.project.DatabaseLayout;
import svc.crds.project.Project;
import svc.crds.project.ProjectCondition;
import svc.crds.project.ProjectDatabase;
import svc.crds.project.ProjectStatus;
import svc.database.key.Incarnation;
import svc.database.key.ProjectKeyScope;
import svc.database.key.Purpose;
import svc.database.name.Layout;
import svc.database.name.ProjectNames;
import svc.database.network.ServerNetworks;
import svc.database.tls.ServerTrust;
import svc.platform.tenancy.Adoption.SealedLogin;
import svc.platform.tenancy.Tenant.DatabaseAddress.Server;

/**
 * From a Project's status to the tenant that it makes. Pure.
 *
 * <p>A project is served once the operator has claimed and provisioned it, and stays served whatever is said of it
 * later: while a newer spec is being worked in, while reconciling is paused, while its database is unreachable. Trouble
 * of the operator is not to become trouble of the tenant's users. A resource that lost its claim to another is never
 * served.
 */
final class TenantOfProject {
    private TenantOfProject() {}

    /**
     * Empty for a project that is not to be served, or whose status is not complete.
     *
     * @param networks where a server that the tenant chose may be
     */
    static Optional<Tenant> of(Project project, Instant now, ServerNetworks networks) {
        ProjectStatus status = project.getStatus();
        if (status == null || project.isMarkedForDeletion() || !claimed(status) || !complete(project, status)) {
            return Optional.empty();
        }
        UUID id = UUID.fromString(status.projectId());
        Layout layout = status.database().layout() == null || status.database().layout() == DatabaseLayout.SHARED
                ? Layout.SHARED
                : Layout.DEDICATED;
        return Optional.of(new Tenant(
                status.ref(),
                new ProjectNames(id, layout),
                new ProjectKeyScope(id, incarnation(status.incarnation()), 1),
                status.masterKeyVersion(),
                keyVersions(status.keys(), now),
                address(status.projectId(), status.database(), networks),
                project.getSpec().organization(),
                status.restUrl(),
                RestSettings.of(project.getSpec().rest()),
                TokenSettings.of(project.getSpec().auth().jwt(), status.verifyKeys()),
                project.getSpec().auth(),
                status.authSecrets() == null ? List.of() : status.authSecrets(),
                project.getSpec().storage(),
                project.getSpec().graphql(),
                project.getSpec().realtime(),
                adoption(status.database())));
    }

    private static Tenant.DatabaseAddress address(String projectId, ProjectDatabase database, ServerNetworks networks) {
        String host = database.host().contains(":") ? "[" + database.host() + "]" : database.host();
        String url = "jdbc:postgresql://" + host + ":" + database.port() + "/" + database.databaseName();
        if (database.layout() == null || database.layout() == DatabaseLayout.SHARED) {
            return new Tenant.DatabaseAddress(
                    database.name(), database.sslMode() == null ? url : url + tls(database), Server.PLATFORM);
        }
        // Two namespaces may call different databases by one name.
        return new Tenant.DatabaseAddress(
                projectId, url + tls(database) + networks.jdbcParameter(), Server.CHOSEN_BY_TENANT);
    }

    private static String tls(ProjectDatabase database) {
        return new ServerTrust(
                        Objects.requireNonNullElse(database.sslMode(), "prefer"),
                        Optional.ofNullable(database.caCertificates()))
                .jdbcParameters();
    }

    private static Optional<Adoption> adoption(ProjectDatabase database) {
        if (database.layout() != DatabaseLayout.ADOPTED) {
            return Optional.empty();
        }
        AdoptedLogins logins = database.adopted();
        return Optional.of(new Adoption(
                new SealedLogin(logins.user(), logins.sealedPassword()),
                Optional.ofNullable(logins.ownerUser())
                        .map(owner -> new SealedLogin(owner, logins.sealedOwnerPassword()))));
    }

    /** When the versions in force change by themselves: the earliest end of an overlap that is still to come. */
    static Optional<Instant> changesAt(Project project, Instant now) {
        if (project.getStatus() == null || project.getStatus().keys() == null) {
            return Optional.empty();
        }
        ActiveKeys keys = project.getStatus().keys();
        return Stream.of(keys.anon(), keys.service(), keys.signing(), keys.database())
                .filter(version -> version != null && version.acceptsPrevious(now))
                .map(ActiveKey::previousUntil)
                .min(Instant::compareTo);
    }

    private static boolean claimed(ProjectStatus status) {
        return Conditions.in(status.conditions(), ProjectCondition.CLAIMED)
                .filter(Condition::isTrue)
                .isPresent();
    }

    /** The operator writes all of it when a project has been provisioned, and keeps it through later failures. */
    private static boolean complete(Project project, ProjectStatus status) {
        return status.ref() != null
                && status.projectId() != null
                && status.incarnation() != null
                && status.masterKeyVersion() != null
                && status.restUrl() != null
                && status.database() != null
                && status.database().host() != null
                && status.database().port() != null
                && status.database().databaseName() != null
                && (status.database().layout() != DatabaseLayout.ADOPTED
                        || status.database().adopted() != null
                                && project.getSpec().rest().anonRole() != null);
    }

    private static Incarnation incarnation(String text) {
        return Incarnation.of(Base64.getUrlDecoder().decode(text));
    }

    private static Map<Purpose, Set<Integer>> keyVersions(ActiveKeys keys, Instant now) {
        Map<Purpose, Set<Integer>> versions = new EnumMap<>(Purpose.class);
        if (keys == null) {
            return versions;
        }
        versions.put(Purpose.ANON_KEY, accepted(keys.anon(), now));
        versions.put(Purpose.SERVICE_KEY, accepted(keys.service(), now));
        versions.put(Purpose.SIGNING, accepted(keys.signing(), now));
        // A password is either the one that PostgreSQL has or it is not: no overlap.
        Set<Integer> database =
                keys.database() == null ? Set.of(1) : Set.of(keys.database().version());
        Set.of(Purpose.OWNER, Purpose.API, Purpose.SERVICE, Purpose.SYSTEM)
                .forEach(purpose -> versions.put(purpose, database));
        return versions;
    }

    private static Set<Integer> accepted(ActiveKey version, Instant now) {
        if (version == null) {
            return Set.of(1);
        }
        return version.acceptsPrevious(now)
                ? Set.of(version.version(), version.version() - 1)
                : Set.of(version.version());
    }
}
