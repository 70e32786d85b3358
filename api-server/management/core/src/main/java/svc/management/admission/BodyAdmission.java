package svc.management.admission;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import svc.database.key.ApiKey;
import svc.database.key.KeyKind;
import svc.database.key.Purpose;
import svc.management.page.FormPaths;
import svc.management.token.Principal;
import svc.management.token.TokenAuthentication;
import svc.platform.config.PurposeRoots;
import svc.platform.memory.ByteBudget;
import svc.platform.memory.MemoryBudget;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.tenancy.Tenant;
import svc.platform.tenancy.TenantDirectory;

/**
 * Authenticates the caller before its body is read. What the caller may do is decided later, by the resource; who it is
 * decides whose memory the body takes.
 */
@ApplicationScoped
public class BodyAdmission {
    private static final String BEARER = "bearer ";

    /** The call that a service-role key authorizes. */
    private static final Pattern MIGRATION = Pattern.compile("/v1/projects/([a-z][a-z0-9]{7})/migrate/service-role");

    /** No organisation has this name: all strangers share one's memory. */
    private static final String STRANGERS = "(strangers)";

    private final TokenAuthentication tokens;
    private final Map<String, PathAuthentication> paths;
    private final TenantDirectory tenants;
    private final PurposeRoots roots;
    private final MemoryBudget memory;

    BodyAdmission(
            TokenAuthentication tokens,
            @Any Instance<PathAuthentication> paths,
            TenantDirectory tenants,
            PurposeRoots roots,
            MemoryBudget memory) {
        this.tokens = tokens;
        this.paths = paths.stream().collect(Collectors.toUnmodifiableMap(PathAuthentication::path, path -> path));
        this.tenants = tenants;
        this.roots = roots;
        this.memory = memory;
    }

    /**
     * A caller that may send a body.
     *
     * @param principal empty for a project's service-role key, and for a form
     */
    public record Admitted(Optional<Principal> principal, ByteBudget.Account account) {}

    /**
     * Reads the platform's database, so it blocks.
     *
     * @param authorization the header as received, null if there is none
     * @throws svc.platform.problem.ProblemException 401
     */
    public Admitted admit(String authorization, String path) {
        // These have no token yet, and bodies of the size that anyone may send.
        if (FormPaths.contains(path)) {
            return new Admitted(Optional.empty(), memory.ofOrganization(STRANGERS));
        }
        PathAuthentication own = paths.get(path);
        if (own != null) {
            return admitted(own.authenticate(authorization));
        }
        Optional<String> key = serviceKey(authorization);
        Matcher project = MIGRATION.matcher(path);
        if (key.isEmpty() || !project.matches()) {
            return admitted(tokens.authenticate(authorization));
        }
        // The same answer for an invalid key and an unknown project: a key must not reveal which refs exist.
        return tenants.find(project.group(1))
                .or(() -> tenants.suspended(project.group(1)))
                .filter(tenant -> isKeyOf(tenant, key.get()))
                .map(tenant -> new Admitted(Optional.empty(), memory.ofProject(tenant.ref())))
                .orElseThrow(() -> Problem.of(
                                ProblemCode.SERVICE_KEY_INVALID, "The service-role key is invalid for this project.")
                        .asException());
    }

    /** The header WWW-Authenticate of a 401 of this path; empty where personal access tokens are all that it takes. */
    public Optional<String> challenge(String path) {
        return Optional.ofNullable(paths.get(path)).map(PathAuthentication::challenge);
    }

    private Admitted admitted(Principal principal) {
        return new Admitted(Optional.of(principal), memory.ofOrganization(principal.organization()));
    }

    private boolean isKeyOf(Tenant tenant, String key) {
        return ApiKey.matchingVersion(
                        key,
                        roots.require(Purpose.SERVICE_KEY, tenant.masterKeyVersion()),
                        tenant.scope(),
                        tenant.keyVersions().getOrDefault(Purpose.SERVICE_KEY, Set.of(1)))
                .isPresent();
    }

    private static Optional<String> serviceKey(String authorization) {
        return Optional.ofNullable(authorization)
                .filter(header -> header.regionMatches(true, 0, BEARER, 0, BEARER.length()))
                .map(header -> header.substring(BEARER.length()).strip())
                .filter(text -> KeyKind.of(text).filter(KeyKind.SERVICE::equals).isPresent());
    }
}
