package svc.management.postgres;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jboss.logging.Logger;
import svc.database.name.SupabaseRef;
import svc.management.query.SqlAuthorization;
import svc.management.token.Permission;
import svc.management.token.Principal;
import svc.management.token.TokenAuthentication;
import svc.platform.problem.ProblemException;
import svc.platform.tenancy.Tenant;

/**
 * Checks a user and a password: a personal access token, or a password of {@link LoginRoles}. The user names the project:
 * {@code <ref>}, or {@code <role>.<ref>}, also by its 20 letters; a login role's password names it itself.
 */
@ApplicationScoped
class SignIn {
    private static final Logger LOG = Logger.getLogger(SignIn.class);

    /** Wrong passwords of one address in a window. */
    private static final int MAX_FAILURES = 10;

    private static final Duration WINDOW = Duration.ofMinutes(1);
    private static final int MAX_ADDRESSES = 100_000;
    private static final String LOGIN = "cli_login_";

    /** The role of a client that may write; a client that only reads signs in as the other. */
    static final String OWNER = "postgres";

    static final String READER = "supabase_read_only_user";

    private final TokenAuthentication tokens;
    private final LoginRoles roles;
    private final SqlAuthorization authorization;
    private final Cache<String, AtomicInteger> failures = Caffeine.newBuilder()
            .maximumSize(MAX_ADDRESSES)
            .expireAfterWrite(WINDOW)
            .build();

    SignIn(TokenAuthentication tokens, LoginRoles roles, SqlAuthorization authorization) {
        this.tokens = tokens;
        this.roles = roles;
        this.authorization = authorization;
    }

    /** Why a client did not get in. */
    static final class RefusedException extends Exception {
        private static final long serialVersionUID = 1L;

        private final transient ErrorAnswer answer;

        RefusedException(ErrorAnswer answer) {
            super(answer.sqlState(), null, false, false);
            this.answer = answer;
        }

        ErrorAnswer answer() {
            return answer;
        }
    }

    /** What a password stands for, before the project is looked up; as in {@link SignedIn}. */
    private record Credential(String ref, boolean readOnly, Optional<Instant> ends, Supplier<Principal> holder) {}

    /** Runs before a client is asked for its password. */
    void requireAttempts(String network) throws RefusedException {
        AtomicInteger failed = failures.getIfPresent(network);
        if (failed != null && failed.get() >= MAX_FAILURES) {
            throw new RefusedException(ErrorAnswer.fatal("28000", "too many wrong passwords from this address")
                    .with('H', "Wait a minute."));
        }
    }

    /** Counts a wrong password, or a wrong key of a cancellation. */
    void failed(String network) {
        failures.get(network, any -> new AtomicInteger()).incrementAndGet();
    }

    SignedIn signIn(String user, String password, String network) throws RefusedException {
        int dot = user.lastIndexOf('.');
        String role = dot < 0 ? "" : user.substring(0, dot);
        String named = user.substring(dot + 1);
        String ref = SupabaseRef.ref(named).orElse(named);
        try {
            Credential in = password.startsWith("svc_login_")
                    ? byLoginRole(dot < 0 ? user : role, dot < 0 ? Optional.empty() : Optional.of(ref), password)
                            .orElseThrow(SignIn::wrong)
                    : byToken(role, ref, password);
            Principal holder = in.holder().get();
            holder.require(Permission.DATABASE_QUERY);
            Tenant tenant = authorization.tenant(holder, in.ref());
            return new SignedIn(tenant.ref(), tenant.organization(), in.readOnly(), in.ends(), in.holder());
        } catch (ProblemException e) {
            boolean guessed = e.problem().code().status() == 401;
            if (guessed) {
                failed(network);
            }
            throw new RefusedException(
                    guessed ? wrong().answer() : ErrorAnswer.of(e.problem()).asFatal());
        } catch (RuntimeException e) {
            // The platform's database is away, for example. At debug, because strangers connect as often as they like.
            LOG.debugf(e, "while checking a password from %s", network);
            throw new RefusedException(ErrorAnswer.fatal("57P03", "the password cannot be checked now")
                    .with('H', "Retry."));
        } catch (RefusedException e) {
            failed(network);
            throw e;
        }
    }

    /** The same for all reasons: an unknown project, an unknown role, another's password. */
    private static RefusedException wrong() {
        return new RefusedException(ErrorAnswer.fatal("28P01", "password authentication failed")
                .with(
                        'H',
                        "The user is postgres.<ref>, the password a personal access token with database_query, or what POST"
                                + " /v1/projects/{ref}/cli/login-role has answered."));
    }

    private Credential byToken(String role, String ref, String password) throws RefusedException {
        if (!role.isEmpty() && !role.equals(OWNER) && !role.equals(READER)) {
            throw wrong();
        }
        String header = "Bearer " + password;
        return new Credential(ref, role.equals(READER), Optional.empty(), () -> tokens.authenticate(header));
    }

    private Optional<Credential> byLoginRole(String role, Optional<String> ref, String password) {
        return roles.open(password)
                .filter(opened -> role.equals(role(opened.readOnly()))
                        && ref.filter(named -> !named.equals(opened.tenant().ref()))
                                .isEmpty())
                .map(opened -> new Credential(
                        opened.tenant().ref(),
                        opened.readOnly(),
                        Optional.of(opened.ends()),
                        () -> tokens.byId(opened.tenant().organization(), opened.token())));
    }

    /** The role that a password of {@link LoginRoles} belongs to. */
    static String role(boolean readOnly) {
        return LOGIN + (readOnly ? READER : OWNER);
    }
}
