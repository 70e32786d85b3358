package svc.management.token;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;

/** The bodies of {@code /v1/tokens}. */
public final class TokenBodies {
    private TokenBodies() {}

    /**
     * @param permissions by name; omitted ones are off
     * @param expiresAt omitted for a token without expiry
     */
    @Schema(name = "CreateTokenBody")
    public record Create(String name, Map<String, Boolean> permissions, Instant expiresAt) {}

    /** Omitted fields keep their value. */
    @Schema(name = "UpdateTokenBody")
    public record Change(String name, Map<String, Boolean> permissions, Instant expiresAt) {}

    /** @param expiresAt omitted for the platform's default lifetime of such a token */
    @Schema(name = "PrepareTokenForCiBody")
    public record PrepareForCi(Instant expiresAt) {}

    /**
     * A token in a response.
     *
     * @param token the secret; only in the response to the creation
     * @param supabaseCliToken the secret in the form that Supabase's own tools accept; likewise
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(name = "TokenResponse")
    public record View(
            UUID id,
            String name,
            String organization,
            String hint,
            Map<String, Boolean> permissions,
            Instant createdAt,
            Instant expiresAt,
            Instant revokedAt,
            String token,
            String supabaseCliToken) {}

    static View view(AccessToken token) {
        return view(token, Optional.empty());
    }

    /** With the secret, for the response to the creation. */
    public static View view(AccessTokens.Created created) {
        return view(created.token(), Optional.of(created.secret()));
    }

    private static View view(AccessToken token, Optional<TokenSecret> secret) {
        return new View(
                token.id(),
                token.name(),
                token.organization(),
                token.hint(),
                Arrays.stream(Permission.values())
                        .collect(Collectors.toMap(
                                Permission::wire,
                                token.permissions()::contains,
                                (first, second) -> first,
                                LinkedHashMap::new)),
                token.createdAt(),
                token.expiresAt().orElse(null),
                token.revokedAt().orElse(null),
                secret.map(TokenSecret::reveal).orElse(null),
                secret.map(SupabaseSpelling::of).map(SupabaseSpelling::reveal).orElse(null));
    }

    /** @throws ProblemException 400 with a pointer to a permission that is unknown or not a boolean */
    public static Map<Permission, Boolean> permissions(Map<String, Boolean> body) {
        if (body == null) {
            return Map.of();
        }
        return body.entrySet().stream()
                .map(entry -> Map.entry(permission(entry.getKey()), on(entry.getKey(), entry.getValue())))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    private static Permission permission(String name) {
        return Permission.ofWire(name)
                .orElseThrow(() -> Problem.of(ProblemCode.INVALID_BODY, "The permission " + name + " does not exist.")
                        .withError("/permissions/" + name, "unknown permission")
                        .withHint("Permissions: "
                                + Arrays.stream(Permission.values())
                                        .map(Permission::wire)
                                        .collect(Collectors.joining(", "))
                                + ".")
                        .asException());
    }

    private static Boolean on(String name, Boolean value) {
        return Optional.ofNullable(value)
                .orElseThrow(
                        () -> Problem.of(ProblemCode.INVALID_BODY, "The permission " + name + " must be true or false.")
                                .withError("/permissions/" + name, "must be true or false")
                                .asException());
    }
}
