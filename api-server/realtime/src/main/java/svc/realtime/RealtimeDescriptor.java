package svc.realtime;

import io.vertx.core.json.JsonObject;
import jakarta.inject.Singleton;
import java.util.Map;
import svc.platform.dataplane.CredentialRefusal;
import svc.platform.dataplane.ErrorResponse;
import svc.platform.dataplane.ServiceDescriptor;
import svc.platform.dataplane.TokenFault;

/** {@code /realtime/v1} as the gateway sees it. Supabase's handshake refusals have the member {@code error}. */
@Singleton
public final class RealtimeDescriptor implements ServiceDescriptor {
    @Override
    public String service() {
        return "realtime";
    }

    @Override
    public int position() {
        return 4;
    }

    @Override
    public ErrorResponse answer(CredentialRefusal refusal) {
        ErrorResponse answer = refusal instanceof CredentialRefusal.InvalidToken(TokenFault fault)
                ? ErrorResponse.of(401, "InvalidJWTToken", "InvalidJWTToken: " + fault.message())
                : refusal.standardAnswer();
        JsonObject body = answer.body().copy().put("error", answer.body().getString("message"));
        return new ErrorResponse(answer.status(), body, Map.of());
    }
}
