package svc.auth.admin;

import java.util.UUID;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.AuthRequest;
import svc.auth.http.AuthResponse;
import svc.auth.model.Factor;
import svc.auth.model.User;
import svc.auth.model.UserJson;
import svc.auth.rows.AuditLog;
import svc.auth.rows.AuthTransactions;
import svc.auth.rows.FactorRows;
import svc.auth.rows.Users;

/** {@code /admin/users/{id}/factors}: the second factors of a user, for the project's own servers. */
public final class AdminFactors {
    private final AuthTransactions transactions;

    public AdminFactors(AuthTransactions transactions) {
        this.transactions = transactions;
    }

    public AuthResponse list(AuthRequest request) {
        UUID id = request.pathId(0, "user_id");
        User user = transactions.run(
                request.tenant(), db -> new Users(db).byId(id).orElseThrow(AuthErrorCode.USER_NOT_FOUND::error));
        return AuthResponse.ok(UserJson.of(user.factors()));
    }

    public AuthResponse delete(AuthRequest request) {
        UUID userId = request.pathId(0, "user_id");
        UUID id = request.pathId(1, "factor_id");
        return transactions.run(request.tenant(), db -> {
            User user = new Users(db).byId(userId).orElseThrow(AuthErrorCode.USER_NOT_FOUND::error);
            var factors = new FactorRows(db);
            Factor factor = factors.locked(id, userId).orElseThrow(AuthErrorCode.FACTOR_NOT_FOUND::error);
            factors.delete(id);
            new AuditLog(db).record(AuditLog.Action.FACTOR_DELETED, user);
            return AuthResponse.ok(UserJson.of(factor));
        });
    }
}
