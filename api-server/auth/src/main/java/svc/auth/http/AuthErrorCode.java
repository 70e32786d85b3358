package svc.auth.http;

import java.util.Optional;

/**
 * Every refusal of the auth service: its HTTP status, the code that Supabase documents for its clients, and the message
 * where it never varies. Several constants share a code where GoTrue answers it with different statuses.
 *
 * <p>Hazard: client libraries drop a session on a 4xx answer to a refresh. An internal failure must have a 5xx status.
 */
public enum AuthErrorCode {
    BAD_JSON(400, "bad_json"),
    VALIDATION_FAILED(400, "validation_failed"),
    INVALID_ID_IN_PATH(404, "validation_failed"),
    BODY_TOO_LARGE(413, "validation_failed"),
    /** The request is well-formed, but the data of the project or the user forbid it. */
    UNPROCESSABLE(422, "validation_failed"),
    /** Rows of the project refer to the user, or have the value already. */
    CONSTRAINT_CONFLICT(409, "conflict"),
    CAPTCHA_FAILED(400, "captcha_failed"),

    NOT_FOUND(404, "not_found"),
    METHOD_NOT_ALLOWED(405, "method_not_allowed"),
    AUTH_DISABLED(404, "feature_disabled", "The auth service of this project is switched off"),
    OAUTH_SERVER_DISABLED(404, "feature_disabled", "OAuth server is disabled"),
    CUSTOM_PROVIDERS_IN_PROJECT(404, "feature_disabled", "Providers of a project are settings of the Project"),
    SAML_DISABLED(404, "saml_provider_disabled", "SAML 2.0 is disabled"),
    PASSKEYS_DISABLED(404, "passkey_disabled", "Passkeys are disabled"),
    WEB3_DISABLED(422, "web3_provider_disabled", "Web3 provider is disabled"),
    ADOPTED_DATABASE(
            501,
            "not_implemented",
            "An adopted database keeps its own auth server. Sign users in there, and give this client their"
                    + " tokens by its option accessToken"),

    NO_AUTHORIZATION(401, "no_authorization", "This endpoint requires a valid Bearer token"),
    ANONYMOUS_USER(403, "no_authorization", "Anonymous user not allowed to perform these actions"),
    NOT_ADMIN(403, "not_admin", "User not allowed"),
    BAD_JWT(403, "bad_jwt"),
    SESSION_NOT_FOUND(403, "session_not_found", "Session from session_id claim in JWT does not exist"),
    USER_OF_TOKEN_NOT_FOUND(403, "user_not_found", "User from sub claim in JWT does not exist"),
    USER_NOT_FOUND(404, "user_not_found", "User not found"),
    USER_BANNED(403, "user_banned", "User is banned"),
    /** The same for {@code POST /token}, whose refusals are 400 as in OAuth. */
    GRANT_OF_BANNED_USER(400, "user_banned", "User is banned"),

    /** The same for an unknown address, a wrong password and a user without one: none reveals an account. */
    INVALID_CREDENTIALS(400, "invalid_credentials", "Invalid login credentials"),
    EMAIL_NOT_CONFIRMED(400, "email_not_confirmed", "Email not confirmed"),
    PHONE_NOT_CONFIRMED(400, "phone_not_confirmed", "Phone not confirmed"),
    REFRESH_TOKEN_NOT_FOUND(400, "refresh_token_not_found", "Invalid Refresh Token: Refresh Token Not Found"),
    REFRESH_TOKEN_ALREADY_USED(400, "refresh_token_already_used", "Invalid Refresh Token: Already Used"),
    SESSION_EXPIRED(400, "session_expired", "Invalid Refresh Token: Session Expired"),
    OTP_EXPIRED(403, "otp_expired", "Token has expired or is invalid"),

    SIGNUP_DISABLED(422, "signup_disabled", "Signups not allowed for this instance"),
    OTP_SIGNUP_DISABLED(422, "otp_disabled", "Signups not allowed for otp"),
    ANONYMOUS_SIGN_IN_DISABLED(422, "anonymous_provider_disabled", "Anonymous sign-ins are disabled"),
    EMAIL_SIGNUP_DISABLED(400, "email_provider_disabled", "Email signups are disabled"),
    EMAIL_LOGIN_DISABLED(422, "email_provider_disabled", "Email logins are disabled"),
    PHONE_SIGNUP_DISABLED(400, "phone_provider_disabled", "Phone signups are disabled"),
    PHONE_LOGIN_DISABLED(422, "phone_provider_disabled", "Phone logins are disabled"),
    PHONE_OTP_DISABLED(400, "phone_provider_disabled", "Unsupported phone provider"),
    SMS_HOOK_MISSING(
            400,
            "phone_provider_disabled",
            "Nothing sends messages to phones: set spec.auth.hooks.sendSms of the Project"),
    USER_ALREADY_EXISTS(422, "user_already_exists", "User already registered"),
    EMAIL_EXISTS(422, "email_exists", "A user with this email address has already been registered"),
    PHONE_EXISTS(422, "phone_exists", "A user with this phone number has already been registered"),
    EMAIL_ADDRESS_INVALID(400, "email_address_invalid"),

    WEAK_PASSWORD(422, "weak_password"),
    ANONYMOUS_PASSWORD(
            422,
            "validation_failed",
            "Updating password of an anonymous user without an email or phone is not allowed"),
    SAME_PASSWORD(422, "same_password", "New password should be different from the old password."),
    CURRENT_PASSWORD_REQUIRED(400, "current_password_required", "Current password required when setting new password."),
    CURRENT_PASSWORD_INVALID(400, "current_password_invalid", "Current password is not valid."),
    REAUTHENTICATION_NEEDED(400, "reauthentication_needed", "Password update requires reauthentication"),
    REAUTHENTICATION_NOT_VALID(422, "reauthentication_not_valid", "Nonce has expired or is invalid"),
    REAUTHENTICATION_EMAIL_NOT_CONFIRMED(422, "email_not_confirmed", "Please verify your email first."),

    AAL2_REQUIRED_TO_UPDATE(
            401, "insufficient_aal", "AAL2 session is required to update email or password when MFA is enabled."),
    AAL2_REQUIRED_TO_ENROLL(403, "insufficient_aal", "AAL2 required to enroll a new factor"),
    AAL2_REQUIRED_TO_VERIFY(403, "insufficient_aal", "AAL2 required to verify a new factor"),
    AAL2_REQUIRED_TO_UNENROLL(422, "insufficient_aal", "AAL2 required to unenroll verified factor"),
    TOTP_ENROLL_DISABLED(422, "mfa_totp_enroll_not_enabled", "MFA enroll is disabled for TOTP"),
    PHONE_ENROLL_DISABLED(422, "mfa_phone_enroll_not_enabled", "MFA enroll is disabled for Phone"),
    WEBAUTHN_ENROLL_DISABLED(422, "mfa_webauthn_enroll_not_enabled", "MFA enroll is disabled for WebAuthn"),
    TOTP_VERIFY_DISABLED(422, "mfa_totp_verify_not_enabled", "MFA verification is disabled for TOTP"),
    PHONE_VERIFY_DISABLED(422, "mfa_phone_verify_not_enabled", "MFA verification is disabled for Phone"),
    FACTOR_NOT_FOUND(404, "mfa_factor_not_found", "MFA factor with the provided factor ID not found"),
    CHALLENGE_NOT_FOUND(404, "mfa_factor_not_found", "MFA factor with the provided challenge ID not found"),
    FACTOR_NAME_CONFLICT(
            422, "mfa_factor_name_conflict", "A factor with this friendly name for this user already exists"),
    PHONE_FACTOR_EXISTS(
            422,
            "mfa_verified_factor_exists",
            "A verified phone factor already exists, unenroll the existing factor to continue"),
    TOO_MANY_FACTORS(
            422, "too_many_enrolled_mfa_factors", "Maximum number of verified factors reached, unenroll to continue"),
    CHALLENGE_EXPIRED(422, "mfa_challenge_expired"),
    CHALLENGE_ADDRESS_MISMATCH(
            422, "mfa_ip_address_mismatch", "Challenge and verify IP addresses mismatch, or it was answered."),
    MFA_VERIFICATION_FAILED(422, "mfa_verification_failed"),
    MFA_VERIFICATION_REJECTED(403, "mfa_verification_rejected"),

    BAD_OAUTH_CALLBACK(400, "bad_oauth_callback"),
    BAD_OAUTH_STATE(400, "bad_oauth_state"),
    BAD_CODE_VERIFIER(400, "bad_code_verifier", "code challenge does not match previously saved code verifier"),
    FLOW_STATE_NOT_FOUND(404, "flow_state_not_found", "invalid flow state, no valid flow state found"),
    FLOW_STATE_EXPIRED(422, "flow_state_expired", "invalid flow state, flow state has expired"),
    FLOW_STATE_ALREADY_USED(400, "flow_state_already_used", "The sign-in that this belongs to has ended already"),
    PROVIDER_EMAIL_NEEDS_VERIFICATION(422, "provider_email_needs_verification"),
    MANUAL_LINKING_DISABLED(404, "manual_linking_disabled", "Manual linking is disabled"),
    IDENTITY_ALREADY_EXISTS(422, "identity_already_exists"),
    IDENTITY_NOT_FOUND(422, "identity_not_found", "Identity doesn't exist"),
    SINGLE_IDENTITY(422, "single_identity_not_deletable", "User must have at least 1 identity after unlinking"),
    EMAIL_CONFLICT_OF_IDENTITY(
            422, "email_conflict_identity_not_deletable", "Unable to unlink identity due to email conflict"),

    /** A 503, because no limit of the caller is reached: client libraries keep the session and may repeat the call. */
    PASSWORD_QUEUE_FULL(503, "over_request_rate_limit", "Too many passwords are being checked. Try again."),
    OVER_REQUEST_RATE_LIMIT(429, "over_request_rate_limit"),
    OVER_EMAIL_SEND_RATE_LIMIT(429, "over_email_send_rate_limit"),
    OVER_SMS_SEND_RATE_LIMIT(429, "over_sms_send_rate_limit"),

    /** A hook of the project refused with a status below 500. */
    REFUSED_BY_HOOK(400, "unknown"),
    HOOK_PAYLOAD_TOO_LARGE(500, "hook_payload_over_size_limit"),
    HOOK_CONTENT_TYPE(500, "hook_payload_invalid_content_type"),
    HOOK_TIMEOUT(504, "hook_timeout"),
    HOOK_TIMEOUT_AFTER_RETRY(504, "hook_timeout_after_retry"),
    UNEXPECTED_FAILURE(500, "unexpected_failure"),
    /** A failure that is expected to pass: the same call may succeed later. */
    UNAVAILABLE(503, "unexpected_failure"),
    DATABASE_UNAVAILABLE(503, "unexpected_failure", "The database of the project cannot be used now. Try again.");

    private final int status;
    private final String code;
    private final Optional<String> message;

    AuthErrorCode(int status, String code) {
        this.status = status;
        this.code = code;
        this.message = Optional.empty();
    }

    AuthErrorCode(int status, String code, String message) {
        this.status = status;
        this.code = code;
        this.message = Optional.of(message);
    }

    /** HTTP status. */
    public int status() {
        return status;
    }

    /** The code of the answer, as Supabase documents it. */
    public String code() {
        return code;
    }

    /** With the fixed message; only for a constant that has one. */
    public AuthError error() {
        return error(message.orElseThrow(() -> new IllegalStateException(name() + " has no fixed message")));
    }

    /** With a message of this case. */
    public AuthError error(String text) {
        return AuthError.of(this, text);
    }
}
