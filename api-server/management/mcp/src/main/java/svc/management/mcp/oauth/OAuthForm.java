package svc.management.mcp.oauth;

import java.util.List;
import java.util.Optional;
import svc.management.page.FormFault;
import svc.management.page.FormFields;

/** Parameters of a request, each sent once at most (RFC 6749 section 3.1). An empty one counts as not sent. Pure. */
record OAuthForm(FormFields fields) {
    /** @throws OAuthError for a repeated parameter */
    static OAuthForm ofBody(byte[] body) {
        try {
            return new OAuthForm(FormFields.ofBody(body));
        } catch (FormFault e) {
            throw OAuthError.of(OAuthError.INVALID_REQUEST, e.getMessage());
        }
    }

    /** The same for a query string without its question mark; may be null. */
    static OAuthForm ofQuery(String query) {
        try {
            return new OAuthForm(FormFields.ofQuery(query));
        } catch (FormFault e) {
            throw OAuthError.of(OAuthError.INVALID_REQUEST, e.getMessage());
        }
    }

    Optional<String> optional(String name) {
        return fields.optional(name);
    }

    /** @throws OAuthError if it is missing */
    String required(String name) {
        return optional(name)
                .orElseThrow(() -> OAuthError.of(OAuthError.INVALID_REQUEST, "The parameter " + name + " is missing."));
    }

    /** The request of a client, which a consent page seals. */
    List<String> request() {
        return AuthorizationRequest.PARAMETERS.stream()
                .map(name -> optional(name).orElse(""))
                .toList();
    }
}
