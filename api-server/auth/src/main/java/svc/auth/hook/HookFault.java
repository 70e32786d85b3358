package svc.auth.hook;

import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;

/**
 * Maps failures of hooks to refusals. The status is a 5xx, because the caller has done nothing wrong: a client that gets a
 * 4xx for a refresh drops a valid session.
 */
final class HookFault {
    /** GoTrue's limit on requests and answers. */
    static final int MAX_BYTES = 200 * 1024;

    private HookFault() {}

    /**
     * An error in the project's hook or its configuration.
     *
     * @param what with names and values of the project: users do not see it
     */
    static AuthError broken(HookPoint point, String what) {
        return AuthErrorCode.UNEXPECTED_FAILURE
                .error("The hook " + point.setting() + " failed")
                .withDetail("it " + what);
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
