package svc.management.token;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.EnumSet;
import java.util.Optional;

/**
 * The first token of an installation, from which all others come. Its secret is kept by whoever installs (a Kubernetes
 * Secret, a file of the single machine) and handed in at each start: doing it again changes nothing.
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
     * Sees to it that the given text is a token of the organisation {@code default} with all permissions.
     *
     * @param given the secret to use; a new one is made when empty
     * @return the secret, whose keeping is the caller's duty
     * @throws IllegalArgumentException when what is given is not of the form {@code svc_pat_…}; a token that exists is
     *     left as it is, revoked or narrowed ones too
     */
    public TokenSecret ensure(Optional<String> given) {
        Optional<TokenSecret> parsed = given.map(text -> TokenSecret.parse(text.strip())
                .orElseThrow(() -> new IllegalArgumentException("the given admin token is not of the form svc_pat_…")));
        AccessTokens.Created created = parsed.map(secret ->
                        tokens.of(secret, ORGANIZATION, NAME, EnumSet.allOf(Permission.class), Optional.empty()))
                .orElseGet(() -> tokens.first(ORGANIZATION, NAME, EnumSet.allOf(Permission.class), Optional.empty()));
        repository.insert(created.token(), created.secret(), Optional.empty());
        return created.secret();
    }
}
