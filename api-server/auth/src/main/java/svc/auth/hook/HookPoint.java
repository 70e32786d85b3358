package svc.auth.hook;

import java.util.Optional;
import java.util.function.Function;
import svc.crds.project.auth.AuthSpec;
import svc.crds.project.auth.HookSpec;
import svc.crds.project.auth.HooksSpec;

/** Where a flow asks the project. */
enum HookPoint {
    BEFORE_USER_CREATED("before-user-created", "beforeUserCreated", HooksSpec::beforeUserCreated),
    CUSTOM_ACCESS_TOKEN("custom-access-token", "customAccessToken", HooksSpec::customAccessToken),
    SEND_EMAIL("send-email", "sendEmail", HooksSpec::sendEmail),
    SEND_SMS("send-sms", "sendSms", HooksSpec::sendSms),
    PASSWORD_VERIFICATION("password-verification", "passwordVerification", HooksSpec::passwordVerification),
    MFA_VERIFICATION("mfa-verification", "mfaVerification", HooksSpec::mfaVerification);

    private final String word;
    private final String setting;
    private final Function<HooksSpec, HookSpec> spec;

    HookPoint(String word, String setting, Function<HooksSpec, HookSpec> spec) {
        this.word = word;
        this.setting = setting;
        this.spec = spec;
    }

    Optional<HookSpec> of(AuthSpec auth) {
        return Optional.ofNullable(auth.hooks()).map(spec);
    }

    /** In the words of GoTrue's payloads. */
    String word() {
        return word;
    }

    /** Where a project says what answers. */
    String setting() {
        return "spec.auth.hooks." + setting;
    }
}
