package svc.auth.signin;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.AuthRequest;
import svc.auth.http.AuthResponse;
import svc.auth.http.AuthRoutes.Endpoint;
import svc.auth.rows.AuthTransactions;

/** {@code POST /token}: chooses the grant. Only a refresh runs on the event loop, because clients refresh on their own. */
public final class TokenGrants implements Endpoint {
    private static final String REFRESH = "refresh_token";

    private final RefreshGrant refresh;
    private final Map<String, Endpoint> others;

    /** @param others by their {@code grant_type} */
    public TokenGrants(RefreshGrant refresh, Map<String, Endpoint> others) {
        this.refresh = refresh;
        this.others = Map.copyOf(others);
    }

    @Override
    public AuthResponse answer(AuthRequest request) {
        String type = request.parameter("grant_type").orElse("");
        if (type.equals(REFRESH)) {
            return AuthTransactions.await(refresh.answer(request));
        }
        if (!others.containsKey(type)) {
            throw AuthErrorCode.INVALID_CREDENTIALS.error("unsupported_grant_type");
        }
        return others.get(type).answer(request);
    }

    @Override
    public Optional<CompletableFuture<AuthResponse>> begin(AuthRequest request) {
        return request.parameter("grant_type").filter(REFRESH::equals).map(type -> refresh.answer(request));
    }
}
