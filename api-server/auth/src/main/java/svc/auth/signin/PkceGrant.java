package svc.auth.signin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Clock;
import java.util.Optional;
import java.util.UUID;
import svc.auth.flow.FlowState;
import svc.auth.flow.FlowStates;
import svc.auth.http.AuthAnswer;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.AuthRequest;
import svc.auth.rows.AuditLog;
import svc.auth.rows.AuthSession;
import svc.auth.rows.AuthTransactions;
import svc.auth.rows.Users;
import svc.auth.session.Bearer;
import svc.auth.session.SessionGrant;
import svc.auth.session.SessionGrant.Granted;
import svc.postgres.flush.TransactionSteps.Outcome;

/** {@code POST /token?grant_type=pkce}: a session for the code that a flow ended with, for who began it. */
public final class PkceGrant {
    private final AuthTransactions transactions;
    private final SessionGrant grant;
    private final FlowStates flows;
    private final Clock clock;

    public PkceGrant(AuthTransactions transactions, SessionGrant grant, FlowStates flows, Clock clock) {
        this.transactions = transactions;
        this.grant = grant;
        this.flows = flows;
        this.clock = clock;
    }

    public AuthAnswer answer(AuthRequest request) {
        Optional<String> code = request.text("auth_code");
        Optional<String> verifier = request.text("code_verifier");
        if (code.isEmpty() || verifier.isEmpty()) {
            throw AuthError.invalid("invalid request: both auth code and code verifier should be non-empty");
        }
        Begun begun = transactions.run(
                request.tenant(),
                rows -> new Outcome<>(begun(request, rows, flows.exchange(rows, code.get(), verifier.get())), true));
        AuthAnswer answer = grant.answer(request.tenant(), begun.granted());
        ObjectNode body = (ObjectNode) answer.body().orElseThrow();
        FlowState flow = begun.flow();
        if (!flow.providerTokens().access().isEmpty()) {
            body.put("provider_token", flow.providerTokens().access());
        }
        if (!flow.providerTokens().refresh().isEmpty()) {
            body.put("provider_refresh_token", flow.providerTokens().refresh());
        }
        return answer;
    }

    /** What a code came to. */
    private record Begun(Granted granted, FlowState flow) {}

    private Begun begun(AuthRequest request, AuthSession rows, FlowState flow) {
        UUID id = flow.user().orElseThrow();
        JsonNode user = new Users(rows).byId(id).orElseThrow(AuthErrorCode.USER_NOT_FOUND::error);
        if (Bearer.isBanned(user, clock)) {
            throw AuthErrorCode.GRANT_OF_BANNED_USER.error();
        }
        new AuditLog(rows).record(AuditLog.Action.LOGIN, user);
        return new Begun(grant.begin(request, rows, id, flow.method()), flow);
    }
}
