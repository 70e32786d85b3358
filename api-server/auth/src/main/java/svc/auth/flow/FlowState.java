package svc.auth.flow;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;

/**
 * A row of {@code auth.flow_state}: a sign-in that has left the application.
 *
 * @param user empty until the provider has answered
 * @param provider {@code email}, or the name of an external provider
 * @param method as the claim {@code amr} will name it
 * @param challenge empty for an implicit flow
 * @param redirect the final redirect of the user; empty for a flow by mail. Of a flow that links with a code, after the
 *     callback: the provider's user, which is linked when the code is exchanged
 * @param linkTo the user who links a further identity; empty for a sign-in
 * @param secret from which nonce, verifier and cookie are derived; empty after the callback
 */
public record FlowState(
        UUID id,
        Optional<UUID> user,
        String provider,
        String method,
        Optional<Challenge> challenge,
        Optional<String> redirect,
        Optional<UUID> linkTo,
        Optional<String> secret,
        ProviderTokens providerTokens,
        Instant created,
        Optional<Instant> codeIssued) {
    /** The provider's tokens, for the application to call the provider with; an empty text for none. */
    public record ProviderTokens(String access, String refresh) {
        public static final ProviderTokens NONE = new ProviderTokens("", "");

        /** Without the tokens. */
        @Override
        public String toString() {
            return "ProviderTokens";
        }
    }

    /** The proof that a callback has to bring, so that no link of an attacker signs a victim in. */
    public enum Binding {
        /** The cookie that the browser got with the redirect to the provider. */
        BROWSER("b."),
        /** The network of the caller that began a link without a challenge: such a call has a token, and no cookie. */
        NETWORK("n."),
        /** The verifier of the challenge when the code is exchanged; or nothing, for a client without cookies. */
        CLIENT("c.");

        private final String prefix;

        Binding(String prefix) {
            this.prefix = prefix;
        }

        /** The beginning of the secrets of such flows. */
        String prefix() {
            return prefix;
        }
    }

    public Binding binding() {
        return Arrays.stream(Binding.values())
                .filter(binding ->
                        secret.filter(text -> text.startsWith(binding.prefix())).isPresent())
                .findFirst()
                .orElse(Binding.CLIENT);
    }

    /** Whether a flow of {@link Binding#NETWORK} was begun from there. */
    public boolean isFrom(String network) {
        return secret.filter(text -> text.startsWith(from(network))).isPresent();
    }

    /** The beginning of the secrets of flows that were begun from there. */
    static String from(String network) {
        return Binding.NETWORK.prefix() + Challenge.hash(network) + ".";
    }

    static FlowState of(JsonNode row) {
        return new FlowState(
                UUID.fromString(row.path("id").asText()),
                text(row, "user_id").map(UUID::fromString),
                row.path("provider_type").asText(),
                row.path("authentication_method").asText(),
                text(row, "code_challenge")
                        .map(value -> new Challenge(
                                value, row.path("code_challenge_method").asText())),
                text(row, "referrer"),
                text(row, "linking_target_id").map(UUID::fromString),
                text(row, "nonce"),
                new ProviderTokens(
                        text(row, "provider_access_token").orElse(""),
                        text(row, "provider_refresh_token").orElse("")),
                text(row, "created_at").map(FlowState::time).orElse(Instant.MIN),
                text(row, "auth_code_issued_at").map(FlowState::time));
    }

    private static Instant time(String text) {
        return OffsetDateTime.parse(text).toInstant();
    }

    private static Optional<String> text(JsonNode row, String name) {
        return Optional.ofNullable(row.path(name).textValue()).filter(text -> !text.isEmpty());
    }
}
