package svc.management.token;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.EnumSet;
import java.util.Optional;

/**
 * The first token of an installation, from which all others are created. The installer stores its secret (a Kubernetes
 * Secret, a file of the single machine) and passes it at every start; repeating that changes nothing.
 */
@ApplicationScoped
public class AdminToken {
    /** The organisation that every installation has. */
    public static final String ORGANIZATION = "default";

    private static final String NAME = "admin";

    private final AccessTokens tokens;
    private final TokenRepository repository;

    AdminToken(AccessTokens tokens, TokenRepository repository) {
        this.tokens = tokens;
        this.repository = repository;
    }

    /**
     * Ensures that the given text is a token of the organisation {@code default} with all permissions.
     *
     * @param given the secret to use; generated if empty
     * @return the secret, which the caller must store
     * @throws IllegalArgumentException if the text does not have the form {@code svc_pat_…}; an existing token stays as
     *     it is, even if it is revoked or has fewer permissions
     */
    public TokenSecret ensure(Optional<String> given) {
        Optional<TokenSecret> parsed = given.map(text -> TokenSecret.parse(text.strip())
                .orElseThrow(() ->
                        new IllegalArgumentException("the configured admin token does not have the form svc_pat_…")));
        AccessTokens.Created created = parsed.map(secret ->
                        tokens.of(secret, ORGANIZATION, NAME, EnumSet.allOf(Permission.class), Optional.empty()))
                .orElseGet(() -> tokens.first(ORGANIZATION, NAME, EnumSet.allOf(Permission.class), Optional.empty()));
        repository.insert(created.token(), created.secret(), Optional.empty());
        return created.secret();
    }
}
