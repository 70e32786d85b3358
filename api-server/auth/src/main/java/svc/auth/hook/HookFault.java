package svc.auth.hook;

import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;

/**
 * What went wrong with a hook, as the answer to whoever called. The status is one of the 500s: the caller has done nothing
 * wrong, and a client that gets a 4xx for a refresh forgets a session that is fine.
 */
final class HookFault {
    /** GoTrue's bound on what goes out and what comes back. */
    static final int MAX_BYTES = 200 * 1024;

    private HookFault() {}

    /** The project has to mend it. */
    static AuthError broken(HookPoint point, String what) {
        return AuthErrorCode.UNEXPECTED_FAILURE.error("The hook " + point.setting() + " " + what);
    }

    static AuthError late(HookPoint point, String limit) {
        return AuthErrorCode.HOOK_TIMEOUT.error(
                "The hook " + point.setting() + " did not answer within " + limit + ". Try again.");
    }

    static AuthError lateAfterRetries(HookPoint point, String limit) {
        return AuthErrorCode.HOOK_TIMEOUT_AFTER_RETRY.error(
                "The hook " + point.setting() + " did not answer within " + limit + " and several tries. Try again.");
    }

    static AuthError tooLong(HookPoint point) {
        return AuthErrorCode.HOOK_PAYLOAD_TOO_LARGE.error(
                "What goes to or comes from the hook " + point.setting() + " is longer than " + MAX_BYTES + " bytes");
    }

    static AuthError noJson(HookPoint point) {
        return AuthErrorCode.HOOK_CONTENT_TYPE.error(
                "The hook " + point.setting() + " must answer with Content-Type: application/json");
    }
}
