package svc.api.auth;

import svc.api.auth.http.AuthError;

/** Messages to users. This release sends none: what needs one says so, and how to do without. */
final class Mail {
    private Mail() {}

    static AuthError none() {
        return new AuthError(
                501,
                "not_implemented",
                "This needs a mail, and this release sends none: let addresses count as confirmed"
                        + " (spec.auth.email.autoconfirm of the Project), or use the admin API with the service-role key");
    }
}
