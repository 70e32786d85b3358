package svc.auth.external;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.UUID;
import svc.auth.flow.FlowState;
import svc.auth.flow.FlowState.ProviderTokens;
import svc.auth.flow.FlowStates;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.CallContext;
import svc.auth.provider.ExternalUser;
import svc.auth.rows.AuthSession;

/**
 * Links of identities in flows with a challenge. The callback comes from the person who signed in at the provider, perhaps the
 * victim of a link that an attacker has sent; so the identity is linked only when the client that began the flow shows the
 * verifier.
 */
final class PendingLinks {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final ExternalAccounts accounts;
    private final FlowStates flows;

    PendingLinks(ExternalAccounts accounts, FlowStates flows) {
        this.accounts = accounts;
        this.flows = flows;
    }

    static boolean isPending(FlowState flow) {
        return flow.linkTo().isPresent() && flow.challenge().isPresent();
    }

    /**
     * @return the code that completes the link
     * @throws AuthError when the identity cannot be linked
     */
    String begin(CallContext context, AuthSession db, FlowState flow, ExternalUser external, ProviderTokens tokens) {
        LinkedIdentities.requireManualLinking(context.tenant());
        UUID user = flow.linkTo().orElseThrow();
        accounts.requireLinkable(db, flow.provider(), external, user);
        return flows.endLinking(db, flow, user, tokens, text(external));
    }

    /** @throws AuthError when the identity cannot be linked any more */
    void complete(CallContext context, AuthSession db, FlowState flow) {
        if (isPending(flow)) {
            LinkedIdentities.requireManualLinking(context.tenant());
            ExternalUser external = read(flow.redirect().orElseThrow(AuthErrorCode.FLOW_STATE_NOT_FOUND::error));
            accounts.link(
                    db,
                    context.tenant().auth(),
                    flow.provider(),
                    external,
                    flow.linkTo().orElseThrow());
        }
    }

    private static String text(ExternalUser external) {
        try {
            return JSON.writerFor(Held.class).writeValueAsString(new Held(external));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a provider's user cannot be written as JSON", e);
        }
    }

    private static ExternalUser read(String text) {
        try {
            return JSON.readValue(text, Held.class).user();
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the provider's user of a flow is not JSON", e);
        }
    }

    /** Whose components alone are written. */
    private record Held(String subject, List<ExternalUser.Email> emails, ObjectNode profile) {
        Held(ExternalUser external) {
            this(external.subject(), external.emails(), external.profile());
        }

        private ExternalUser user() {
            return new ExternalUser(subject, emails, profile);
        }
    }
}
