package svc.management.audit;

import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import io.vertx.core.net.SocketAddress;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import svc.management.audit.CallResult.Kind;
import svc.platform.clientip.CallerAddress;
import svc.platform.dataplane.RequestId;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;
import svc.sqlgate.ScriptSummary;

/**
 * Records calls other than SQL: which token changed what, in words that name settings and objects and hold no value. A row is
 * written after the change, and one that cannot be written is logged: a change whose audit is away must not be half done. What
 * shows a secret is recorded before, and is refused without a row. Refused and failed calls have no rate limit, so those that
 * are alike share a row for a minute.
 */
@ApplicationScoped
public class CallAudit {
    private static final String FORWARDED_FOR = "X-Forwarded-For";
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int FORBIDDEN = 403;

    /** Of objects in one row; the rest is counted. */
    private static final int MAX_NAMED = 10;

    private final SqlAudit audit;
    private final CallerAddress addresses;
    private final CurrentVertxRequest request;

    CallAudit(SqlAudit audit, CallerAddress addresses, CurrentVertxRequest request) {
        this.audit = audit;
        this.addresses = addresses;
        this.request = request;
    }

    /** The token that called. */
    public record Caller(UUID token, String organization) {}

    /** The project that a call is about. */
    public record Subject(UUID projectId, String ref) {}

    /** Records a call that is done. */
    public void done(Caller by, Optional<Subject> project, String what) {
        audit.note(call(by, project, what), summary(what), committed());
    }

    /**
     * Records a call that is about to show a secret; repetitions within a minute are counted.
     *
     * @throws RuntimeException if the row cannot be written; the secret must not be shown then
     */
    public void requireRecord(Caller by, Optional<Subject> project, String what) {
        audit.requireShared(call(by, project, what), summary(what), committed());
    }

    /**
     * Records a call that was refused or failed.
     *
     * @param what without names that the caller chose: there is a row for each
     */
    public void failed(Caller by, Optional<Subject> project, String what, RuntimeException failure) {
        ProblemCode code =
                failure instanceof ProblemException known ? known.problem().code() : ProblemCode.INTERNAL_ERROR;
        audit.shared(call(by, project, what), summary(what), CallResult.of(kind(code), code.wire()));
    }

    /** As {@link #failed(Caller, Optional, String, RuntimeException)}, of a problem: the kind of the result. */
    public static Kind kind(ProblemCode code) {
        return switch (code.status()) {
            case FORBIDDEN -> Kind.DENIED;
            case TOO_MANY_REQUESTS -> Kind.THROTTLED;
            default -> Kind.FAILED;
        };
    }

    /**
     * Runs a change and records how it ended.
     *
     * @param what without names that the caller chose
     * @param done the same with what it made
     */
    public <T> T recorded(
            Caller by, Optional<Subject> project, String what, Supplier<T> change, Function<T, String> done) {
        T result;
        try {
            result = change.get();
        } catch (RuntimeException e) {
            failed(by, project, what, e);
            throw e;
        }
        done(by, project, done.apply(result));
        return result;
    }

    /** Names for a row, the first of them if they are many. */
    public static String named(Collection<String> names) {
        String first = String.join(", ", names.stream().limit(MAX_NAMED).toList());
        return names.size() <= MAX_NAMED ? first : first + " and " + (names.size() - MAX_NAMED) + " more";
    }

    private SqlCall call(Caller by, Optional<Subject> project, String what) {
        RoutingContext context = request.getCurrent();
        return new SqlCall(
                project.map(Subject::projectId).orElse(null),
                project.map(Subject::ref).orElse(null),
                by.organization(),
                new Actor.Token(by.token()),
                RequestId.of(context),
                addresses.of(
                        Optional.ofNullable(context.request().remoteAddress()).map(SocketAddress::hostAddress),
                        context.request().headers().getAll(FORWARDED_FOR)),
                what,
                Optional.empty());
    }

    private static ScriptSummary summary(String what) {
        return new ScriptSummary(List.of(what), Optional.empty());
    }

    private static CallResult committed() {
        return new CallResult(Kind.COMMITTED, Optional.empty(), Optional.empty());
    }
}
