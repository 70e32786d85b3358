package svc.auth.hook;

import java.util.Optional;
import java.util.function.Function;
import svc.crds.project.auth.AuthSpec;
import svc.crds.project.auth.HookSpec;
import svc.crds.project.auth.HooksSpec;

/** The points of a flow at which a project may have a hook. */
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

    /** As GoTrue's payloads name it. */
    String word() {
        return word;
    }

    /** The field of the Project that configures it. */
    String setting() {
        return "spec.auth.hooks." + setting;
    }
}
