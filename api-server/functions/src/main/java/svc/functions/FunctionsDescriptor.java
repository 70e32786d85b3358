package svc.functions;

import jakarta.inject.Singleton;
import java.util.Map;
import svc.platform.dataplane.CredentialRefusal;
import svc.platform.dataplane.ErrorResponse;
import svc.platform.dataplane.ServiceDescriptor;
import svc.platform.dataplane.TokenFault;

/**
 * {@code /functions/v1} as the gateway sees it. {@code x-relay-error} tells Supabase's client that the answer is not the
 * function's.
 */
@Singleton
public final class FunctionsDescriptor implements ServiceDescriptor {
    private static final String INVALID_JWT = "UNAUTHORIZED_INVALID_JWT_FORMAT";

    @Override
    public String service() {
        return "functions";
    }

    @Override
    public int position() {
        return 6;
    }

    @Override
    public ErrorResponse answer(CredentialRefusal refusal) {
        return refusal instanceof CredentialRefusal.InvalidToken(TokenFault fault)
                ? ErrorResponse.of(401, INVALID_JWT, "Invalid JWT: " + fault.message())
                        .withHeaders(Map.of("x-relay-error", "true", "sb-error-code", INVALID_JWT))
                : refusal.standardAnswer().withHeaders(Map.of("x-relay-error", "true"));
    }
}
