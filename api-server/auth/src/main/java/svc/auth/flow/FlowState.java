package svc.auth.flow;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.UUID;

/**
 * A sign-in that has begun.
 *
 * @param user who it is, as soon as that is known
 * @param provider {@code email}, {@code phone}, or the name of the provider that the user was sent to
 * @param method how it is proved, in the words of the claim {@code amr}
 * @param challenge empty for an implicit flow
 * @param redirect where the user is sent in the end, if it was begun with one
 * @param linkTo the user who wants a further identity, if that is what it is for
 * @param secret known to nobody but this row; empty once it has served
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
    /** What the provider gave, for the application to call it with; empty text for none. */
    public record ProviderTokens(String access, String refresh) {
        public static final ProviderTokens NONE = new ProviderTokens("", "");

        /** They are not for logs. */
        @Override
        public String toString() {
            return "ProviderTokens";
        }
    }

    /** What a visit's answer is bound to, so that nobody is signed in by a link that somebody else had made. */
    public enum Binding {
        /** The browser that was sent away shows a cookie when it comes back. */
        BROWSER("b."),
        /** The verifier of the challenge, in the end; or nothing, when who began it is no browser that we could mark. */
        CLIENT("c.");

        private final String prefix;

        Binding(String prefix) {
            this.prefix = prefix;
        }

        /** How secrets of such visits begin. */
        String prefix() {
            return prefix;
        }
    }

    public Binding binding() {
        return secret.filter(text -> text.startsWith(Binding.BROWSER.prefix()))
                .map(text -> Binding.BROWSER)
                .orElse(Binding.CLIENT);
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
