package svc.management.project;

import static svc.management.project.ConfigTable.plain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import svc.crds.project.auth.AuthSpec;
import svc.management.project.ConfigTable.Setting;
import svc.platform.problem.ProblemException;

/** The settings of the auth service in the form of Supabase's Management API. Pure. */
final class AuthConfig {
    private static final Map<String, String> MAILS = Map.of(
            "confirmation", "confirmation",
            "invite", "invite",
            "magic_link", "magicLink",
            "recovery", "recovery",
            "email_change", "emailChange",
            "reauthentication", "reauthentication");

    static final ConfigTable TABLE = new ConfigTable("/auth", settings());

    private AuthConfig() {}

    private static List<Setting> settings() {
        List<Setting> all = new ArrayList<>(List.of(
                plain("site_url", "/siteUrl"),
                new Setting("uri_allow_list", "/redirectUrls", ConfigForm.LIST),
                new Setting("disable_signup", "/signUp", ConfigForm.NEGATED),
                plain("external_anonymous_users_enabled", "/anonymousSignIn"),
                plain("security_manual_linking_enabled", "/manualLinking"),
                plain("jwt_exp", "/jwt/expirySeconds"),
                plain("external_email_enabled", "/email/enabled"),
                plain("mailer_autoconfirm", "/email/autoconfirm"),
                plain("mailer_secure_email_change_enabled", "/email/doubleConfirmChanges"),
                plain("mailer_otp_length", "/email/otpLength"),
                plain("mailer_otp_exp", "/email/otpExpirySeconds"),
                plain("smtp_max_frequency", "/email/minIntervalSeconds"),
                plain("external_phone_enabled", "/phone/enabled"),
                plain("sms_autoconfirm", "/phone/autoconfirm"),
                plain("sms_otp_length", "/phone/otpLength"),
                plain("sms_otp_exp", "/phone/otpExpirySeconds"),
                plain("sms_max_frequency", "/phone/minIntervalSeconds"),
                plain("password_min_length", "/password/minLength"),
                new Setting("password_required_characters", "/password/requiredCharacters", ConfigForm.CHARACTERS),
                plain("password_hibp_enabled", "/password/refuseLeaked"),
                plain("security_update_password_require_reauthentication", "/password/requireReauthentication"),
                plain("security_update_password_require_current_password", "/password/requireCurrent"),
                new Setting("sessions_timebox", "/sessions/timeboxSeconds", ConfigForm.HOURS),
                new Setting("sessions_inactivity_timeout", "/sessions/inactivityTimeoutSeconds", ConfigForm.HOURS),
                plain("sessions_single_per_user", "/sessions/singlePerUser"),
                plain("security_refresh_token_reuse_interval", "/sessions/refreshReuseSeconds"),
                plain("mfa_totp_enroll_enabled", "/mfa/totp"),
                plain("mfa_phone_enroll_enabled", "/mfa/phone"),
                plain("mfa_max_enrolled_factors", "/mfa/maxFactors"),
                plain("rate_limit_email_sent", "/rateLimits/emailsPerHour"),
                plain("rate_limit_sms_sent", "/rateLimits/smsPerHour"),
                plain("rate_limit_anonymous_users", "/rateLimits/anonymousPerHour")));
        all.addAll(List.of(
                plain("smtp_host", "/smtp/host"),
                new Setting("smtp_port", "/smtp/port", ConfigForm.DIGITS),
                plain("smtp_user", "/smtp/username"),
                new Setting("smtp_pass", "/smtp/passwordSecretRef", ConfigForm.SECRET),
                plain("smtp_admin_email", "/smtp/from"),
                plain("smtp_sender_name", "/smtp/senderName")));
        MAILS.keySet().stream().sorted().forEach(mail -> {
            all.add(plain("mailer_subjects_" + mail, "/templates/" + MAILS.get(mail) + "/subject"));
            all.add(plain("mailer_templates_" + mail + "_content", "/templates/" + MAILS.get(mail) + "/body"));
        });
        return all;
    }

    /** The settings without the values of Secrets. */
    static ObjectNode shown(AuthSpec spec) {
        JsonNode auth = AuthChange.shown(spec);
        ObjectNode shown = TABLE.shown(auth);
        ExternalProviders.show(auth, shown);
        AuthHooks.show(auth, shown);
        return shown;
    }

    /**
     * The change that a body asks for.
     *
     * @param current of which the body changes a part
     * @throws ProblemException 400 with the fields that are no settings, or have unusable values
     */
    static AuthChange change(ObjectNode body, AuthSpec current) {
        ObjectNode patch = TABLE.patch(body, name -> ExternalProviders.is(name) || AuthHooks.is(name));
        if (body.path("smtp_host").isNull()) {
            // Without its host there is no server: the platform's sends the mails again.
            patch.putNull("smtp");
        }
        JsonNode auth = AuthChange.shown(current);
        ExternalProviders.change(body, auth, patch);
        AuthHooks.change(body, auth, patch);
        return AuthChange.of(patch);
    }
}
