package svc.management.postgres;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import svc.database.key.DerivedKey;
import svc.database.key.Purpose;
import svc.database.key.SealedText;
import svc.management.token.Principal;
import svc.platform.config.PurposeRoots;
import svc.platform.tenancy.Tenant;
import svc.platform.tenancy.TenantDirectory;

/**
 * Passwords that work at this endpoint for a short time. Nothing is stored: a password is a sealed text that says which token
 * it belongs to and when it ends, and only the project's key opens it.
 */
@ApplicationScoped
class LoginRoles {
    private static final Pattern PASSWORD = Pattern.compile("svc_login_([a-z0-9]{1,32})_([A-Za-z0-9_-]{40,400})");
    private static final Pattern CONTENT = Pattern.compile("([0-9a-f-]{36}) (\\d{1,12}) (rw|ro)");

    private final PurposeRoots roots;
    private final TenantDirectory tenants;
    private final Clock clock;
    private final Duration lifetime;

    LoginRoles(PurposeRoots roots, TenantDirectory tenants, Clock clock, PostgresEndpointConfig config) {
        this.roots = roots;
        this.tenants = tenants;
        this.clock = clock;
        this.lifetime = config.credentialLifetime();
    }

    /** What a password says once it is opened. */
    record Opened(Tenant tenant, UUID token, Instant ends, boolean readOnly) {}

    Duration lifetime() {
        return lifetime;
    }

    String issue(Tenant tenant, Principal by, boolean readOnly) {
        String content =
                by.tokenId() + " " + clock.instant().plus(lifetime).getEpochSecond() + " " + (readOnly ? "ro" : "rw");
        return "svc_login_" + tenant.ref() + "_" + SealedText.seal(leaf(tenant), SealedText.Use.LOGIN_ROLE, content);
    }

    /** Empty for anything that was not issued here, and for what has ended. */
    Optional<Opened> open(String password) {
        Matcher parts = PASSWORD.matcher(password);
        return parts.matches()
                ? tenants.find(parts.group(1)).flatMap(tenant -> open(tenant, parts.group(2)))
                : Optional.empty();
    }

    private Optional<Opened> open(Tenant tenant, String sealed) {
        return SealedText.open(leaf(tenant), SealedText.Use.LOGIN_ROLE, sealed)
                .map(CONTENT::matcher)
                .filter(Matcher::matches)
                .map(content -> new Opened(
                        tenant,
                        UUID.fromString(content.group(1)),
                        Instant.ofEpochSecond(Long.parseLong(content.group(2))),
                        content.group(3).equals("ro")))
                .filter(opened -> clock.instant().isBefore(opened.ends()));
    }

    private DerivedKey leaf(Tenant tenant) {
        return roots.require(Purpose.OWNER, tenant.masterKeyVersion())
                .leaf(tenant.scope().withKeyVersion(1));
    }
}
