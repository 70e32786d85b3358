package svc.auth.flow;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;
import svc.auth.flow.FlowState.Binding;
import svc.auth.flow.FlowState.ProviderTokens;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.auth.rows.AuthSession;
import svc.auth.rows.FlowRows;

/**
 * Sign-ins that leave the application, by a mail or to a provider, and return with a code that only the client with the
 * verifier can exchange for a session. A code is valid once, within {@link #CODE_LIFE}; the row has its hash.
 */
public final class FlowStates {
    /** Between the creation of a code and its exchange. */
    static final Duration CODE_LIFE = Duration.ofMinutes(5);

    /** For the user to sign in at a provider. */
    public static final Duration PROVIDER_LIFE = Duration.ofMinutes(10);

    /** Longer than the life, so that a late callback is answered as expired instead of as unknown. */
    private static final Duration PROVIDER_RETENTION = Duration.ofHours(1);

    /** The maximum life of a link in a mail, a day, and of the code after it. */
    private static final Duration MAIL_RETENTION = Duration.ofHours(25);

    private static final int SECRET_BYTES = 32;

    private final Clock clock;
    private final SecureRandom random = new SecureRandom();

    public FlowStates(Clock clock) {
        this.clock = clock;
    }

    /**
     * Starts a flow by mail. Without a challenge the flow is implicit, and has no row.
     *
     * @param user the recipient of the mail
     * @param method as the session's {@code amr} will name it: {@code magiclink}, {@code recovery}, {@code email/signup} …
     */
    public Optional<FlowState> begin(AuthSession db, Optional<Challenge> challenge, UUID user, String method) {
        return challenge.map(given -> {
            ObjectNode row = row("email", method, Optional.of(given));
            return inserted(db, row.put("user_id", user.toString()));
        });
    }

    /**
     * Starts a flow at a provider, with a secret of its own.
     *
     * @param redirect the final redirect of the user
     * @param linkTo the user who links a further identity; empty for a sign-in
     * @param binding the proof that the callback has to bring
     * @param network of the caller
     */
    public FlowState beginAtProvider(
            AuthSession db,
            String provider,
            Optional<Challenge> challenge,
            String redirect,
            Optional<UUID> linkTo,
            Binding binding,
            String network) {
        ObjectNode row = row(provider, "oauth", challenge);
        row.put("referrer", redirect);
        row.put("nonce", (binding == Binding.NETWORK ? FlowState.from(network) : binding.prefix()) + random());
        linkTo.ifPresent(user -> row.put("linking_target_id", user.toString()));
        return inserted(db, row);
    }

    private ObjectNode row(String provider, String method, Optional<Challenge> challenge) {
        String now = clock.instant().toString();
        ObjectNode row = JsonNodeFactory.instance.objectNode();
        row.put("id", UUID.randomUUID().toString());
        row.put("provider_type", provider);
        row.put("authentication_method", method);
        challenge.ifPresent(
                given -> row.put("code_challenge", given.value()).put("code_challenge_method", given.method()));
        return row.put("created_at", now).put("updated_at", now);
    }

    private FlowState inserted(AuthSession db, ObjectNode row) {
        Instant now = clock.instant();
        new FlowRows(db).insert(row, now.minus(PROVIDER_RETENTION), now.minus(MAIL_RETENTION));
        return FlowState.of(row);
    }

    /**
     * Takes the flow of a callback: a second callback is refused, whatever the outcome of this one.
     *
     * @throws AuthError when the flow is unknown, already used or expired
     */
    public FlowState take(AuthSession db, UUID id) {
        var flows = new FlowRows(db);
        FlowState flow = flows.byId(id)
                .map(FlowState::of)
                .filter(found -> found.redirect().isPresent())
                .orElseThrow(FlowStates::notFound);
        if (flow.secret().isEmpty()) {
            throw AuthErrorCode.FLOW_STATE_ALREADY_USED.error();
        }
        if (flow.created().plus(PROVIDER_LIFE).isBefore(clock.instant())) {
            throw expired();
        }
        flows.take(id);
        return flow;
    }

    /** Issues the code of a flow at a provider that was started with a challenge. */
    public String end(AuthSession db, FlowState flow, UUID user, ProviderTokens tokens) {
        String code = random();
        new FlowRows(db)
                .issue(flow.id(), Challenge.hash(code), clock.instant(), user, tokens.access(), tokens.refresh());
        return code;
    }

    /**
     * The same for a flow that links an identity, which is linked when the code is exchanged.
     *
     * @param external the provider's user
     */
    public String endLinking(AuthSession db, FlowState flow, UUID user, ProviderTokens tokens, String external) {
        new FlowRows(db).hold(flow.id(), external);
        return end(db, flow, user, tokens);
    }

    /**
     * Issues the code of the newest flow by mail of a user and a method; empty when there is none, or its code is issued
     * already.
     */
    public Optional<String> issue(AuthSession db, UUID user, String method) {
        var flows = new FlowRows(db);
        return flows.newestOf(user, method).map(FlowState::of).map(flow -> {
            String code = random();
            flows.issue(flow.id(), Challenge.hash(code), clock.instant(), user, "", "");
            return code;
        });
    }

    /**
     * Exchanges a code.
     *
     * @return the flow, with its user; its row is deleted
     * @throws AuthError for a code that is unknown or expired, and for a wrong verifier
     */
    public FlowState exchange(AuthSession db, String code, String verifier) {
        var flows = new FlowRows(db);
        FlowState flow = flows.byCode(Challenge.hash(code)).map(FlowState::of).orElseThrow(FlowStates::notFound);
        if (flow.codeIssued().orElse(Instant.MIN).plus(CODE_LIFE).isBefore(clock.instant())) {
            throw expired();
        }
        if (flow.user().isEmpty()
                || !flow.challenge().orElseThrow(FlowStates::notFound).isMadeOf(verifier)) {
            throw AuthErrorCode.BAD_CODE_VERIFIER.error();
        }
        flows.delete(flow.id());
        return flow;
    }

    private String random() {
        byte[] bytes = new byte[SECRET_BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static AuthError notFound() {
        return AuthErrorCode.FLOW_STATE_NOT_FOUND.error();
    }

    private static AuthError expired() {
        return AuthErrorCode.FLOW_STATE_EXPIRED.error();
    }
}
