package svc.auth.signin;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Clock;
import java.util.Optional;
import svc.auth.flow.FlowState;
import svc.auth.flow.FlowState.ProviderTokens;
import svc.auth.flow.FlowStates;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.AuthRequest;
import svc.auth.http.AuthResponse;
import svc.auth.http.CallContext;
import svc.auth.model.User;
import svc.auth.rows.AuditLog;
import svc.auth.rows.AuthSession;
import svc.auth.rows.AuthTransactions;
import svc.auth.rows.Users;
import svc.auth.session.SessionGrant;
import svc.auth.session.SessionGrant.Granted;

/** {@code POST /token?grant_type=pkce}: a session for the code at the end of a flow, for the client with the verifier. */
public final class PkceGrant {
    private final AuthTransactions transactions;
    private final SessionGrant grant;
    private final FlowStates flows;
    private final LastStep last;
    private final Clock clock;

    public PkceGrant(AuthTransactions transactions, SessionGrant grant, FlowStates flows, LastStep last, Clock clock) {
        this.transactions = transactions;
        this.grant = grant;
        this.flows = flows;
        this.last = last;
        this.clock = clock;
    }

    /** What a flow leaves to the client with the verifier, in the transaction of the exchange. */
    @FunctionalInterface
    public interface LastStep {
        void of(CallContext context, AuthSession db, FlowState flow);
    }

    private record Request(CallContext context, String code, String verifier) {
        static Request parse(AuthRequest request) {
            Optional<String> code = request.text("auth_code");
            Optional<String> verifier = request.text("code_verifier");
            if (code.isEmpty() || verifier.isEmpty()) {
                throw AuthError.invalid("invalid request: both auth code and code verifier should be non-empty");
            }
            return new Request(request.context(), code.get(), verifier.get());
        }
    }

    private record Exchanged(Granted granted, ProviderTokens providerTokens) {}

    public AuthResponse answer(AuthRequest call) {
        Request request = Request.parse(call);
        Exchanged exchanged = transactions.run(call.tenant(), db -> exchange(request, db));
        AuthResponse answer = grant.answer(call.tenant(), exchanged.granted());
        ObjectNode body = (ObjectNode) answer.body().orElseThrow();
        ProviderTokens tokens = exchanged.providerTokens();
        if (!tokens.access().isEmpty()) {
            body.put("provider_token", tokens.access());
        }
        if (!tokens.refresh().isEmpty()) {
            body.put("provider_refresh_token", tokens.refresh());
        }
        return answer;
    }

    private Exchanged exchange(Request request, AuthSession db) {
        FlowState flow = flows.exchange(db, request.code(), request.verifier());
        User user = new Users(db).byId(flow.user().orElseThrow()).orElseThrow(AuthErrorCode.USER_NOT_FOUND::error);
        if (user.isBanned(clock.instant())) {
            throw AuthErrorCode.GRANT_OF_BANNED_USER.error();
        }
        last.of(request.context(), db, flow);
        new AuditLog(db).record(AuditLog.Action.LOGIN, user);
        return new Exchanged(grant.begin(request.context(), db, user.id(), flow.method()), flow.providerTokens());
    }
}
