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
import svc.auth.http.AuthRequest;
import svc.auth.rows.AuthSession;
import svc.auth.rows.FlowRows;

/**
 * Sign-ins that leave the application, by a mail or to a provider, and come back with a code that only who began them can
 * change into a session. A code is used once, within {@link #CODE_LIFE}; the row keeps its hash.
 */
public final class FlowStates {
    /** From the moment that a code is made to the moment that it is a session. */
    static final Duration CODE_LIFE = Duration.ofMinutes(5);

    /** How long a user may take to sign in at a provider. */
    public static final Duration VISIT_LIFE = Duration.ofMinutes(10);

    /** Rows of flows at a provider are kept this long, so that one who comes too late is told so. */
    private static final Duration VISITS_KEPT = Duration.ofHours(1);

    /** The longest life of a link in a mail, a day, and the code after it. */
    private static final Duration MAILS_KEPT = Duration.ofHours(25);

    private static final int SECRET_BYTES = 32;

    private final Clock clock;
    private final SecureRandom random = new SecureRandom();

    public FlowStates(Clock clock) {
        this.clock = clock;
    }

    /**
     * Begins a flow by mail if the call brings a challenge; without one the flow is implicit, and nothing is kept of it.
     *
     * @param user whom the mail goes to
     * @param method as the session's {@code amr} will name it: {@code magiclink}, {@code recovery}, {@code email/signup} …
     * @throws AuthError for a challenge that cannot be
     */
    public Optional<FlowState> begin(AuthSession rows, AuthRequest request, UUID user, String method) {
        return Challenge.of(request).map(challenge -> {
            ObjectNode row = row("email", method, Optional.of(challenge));
            return inserted(rows, row.put("user_id", user.toString()));
        });
    }

    /**
     * Begins a visit at a provider, with a secret of its own.
     *
     * @param redirect where the user is sent in the end
     * @param linkTo the user who wants a further identity; empty for a sign-in
     * @param binding what else than the answer has to come back
     */
    public FlowState visit(
            AuthSession rows,
            String provider,
            Optional<Challenge> challenge,
            String redirect,
            Optional<UUID> linkTo,
            Binding binding) {
        ObjectNode row = row(provider, "oauth", challenge);
        row.put("referrer", redirect);
        row.put("nonce", binding.prefix() + random());
        linkTo.ifPresent(user -> row.put("linking_target_id", user.toString()));
        return inserted(rows, row);
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

    private FlowState inserted(AuthSession rows, ObjectNode row) {
        Instant now = clock.instant();
        new FlowRows(rows).insert(row, now.minus(VISITS_KEPT), now.minus(MAILS_KEPT));
        return FlowState.of(row);
    }

    /**
     * The visit that a provider answers to. It is taken: no other answer to it is heard, whatever comes of this one.
     *
     * @throws AuthError when there is none, it has been answered already, or too much time has passed
     */
    public FlowState take(AuthSession rows, UUID id) {
        var flows = new FlowRows(rows);
        FlowState flow = flows.byId(id)
                .map(FlowState::of)
                .filter(found -> found.redirect().isPresent())
                .orElseThrow(FlowStates::notFound);
        if (flow.secret().isEmpty()) {
            throw AuthErrorCode.FLOW_STATE_ALREADY_USED.error();
        }
        if (flow.created().plus(VISIT_LIFE).isBefore(clock.instant())) {
            throw expired();
        }
        flows.take(id);
        return flow;
    }

    /** The code to send back a user with who began a visit with a challenge. */
    public String end(AuthSession rows, FlowState visit, UUID user, ProviderTokens tokens) {
        String code = random();
        new FlowRows(rows)
                .issue(visit.id(), Challenge.hash(code), clock.instant(), user, tokens.access(), tokens.refresh());
        return code;
    }

    /**
     * The code of the newest flow by mail that a user has begun by a method, for the address that the user is sent back to;
     * empty when there is none, or it has its code already.
     */
    public Optional<String> issue(AuthSession rows, UUID user, String method) {
        var flows = new FlowRows(rows);
        return flows.newestOf(user, method).map(FlowState::of).map(flow -> {
            String code = random();
            flows.issue(flow.id(), Challenge.hash(code), clock.instant(), user, "", "");
            return code;
        });
    }

    /**
     * Takes a code for who began the flow.
     *
     * @return the flow, with its user; it is gone
     * @throws AuthError for a code that is none, is old, or belongs to somebody else
     */
    public FlowState exchange(AuthSession rows, String code, String verifier) {
        var flows = new FlowRows(rows);
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
