package svc.crds.project.auth;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import svc.crds.reference.SecretKeyReference;

/** Users and sessions of the project, /auth/v1. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AuthSpec(
        @Default("true") @JsonPropertyDescription("Whether the service answers.")
        Boolean enabled,

        @Size(max = 2048)
        @Pattern("^https?://[^\\s]+$")
        @JsonPropertyDescription("Where users land when a request names no place.")
        String siteUrl,

        @Size(max = 64) @JsonPropertyDescription("Where users may be sent, with * as a wildcard.")
        List<@Size(min = 1, max = 2048) String> redirectUrls,

        @Default("true") @JsonPropertyDescription("Whether new users may sign up.")
        Boolean signUp,

        @Default("false") @JsonPropertyDescription("Whether users may sign in without an account.")
        Boolean anonymousSignIn,

        @Default("false") @JsonPropertyDescription("Whether users may link further accounts.")
        Boolean manualLinking,

        @Default("{}") @JsonPropertyDescription("Tokens.") JwtSpec jwt,

        @Default("{}") @JsonPropertyDescription("Sign-in by e-mail.")
        EmailSpec email,

        @Default("{}") @JsonPropertyDescription("Sign-in by phone.")
        PhoneSpec phone,

        @Default("{}") @JsonPropertyDescription("Rules for passwords.")
        PasswordSpec password,

        @Default("{}") @JsonPropertyDescription("Life of sessions.")
        SessionSpec sessions,

        @Default("{}") @JsonPropertyDescription("Second factors.")
        MfaSpec mfa,

        @Default("{}") @JsonPropertyDescription("How often things may be tried.")
        RateLimitsSpec rateLimits,

        @JsonPropertyDescription("The server that sends mail.")
        SmtpSpec smtp,

        @JsonPropertyDescription("The project's own mails.") MailTemplates templates,

        @JsonPropertyDescription("A captcha before sign-up, sign-in and recovery.")
        CaptchaSpec captcha,

        @JsonPropertyDescription("Steps of the flows that the project decides.")
        HooksSpec hooks,

        @Size(max = 32) @JsonPropertyDescription("Places where users sign in with an account they have.")
        List<ProviderSpec> providers) {

    public AuthSpec {
        enabled = enabled == null ? true : enabled;
        redirectUrls = redirectUrls == null ? List.of() : redirectUrls;
        signUp = signUp == null ? true : signUp;
        anonymousSignIn = anonymousSignIn == null ? false : anonymousSignIn;
        manualLinking = manualLinking == null ? false : manualLinking;
        jwt = jwt == null ? JwtSpec.defaults() : jwt;
        email = email == null ? EmailSpec.defaults() : email;
        phone = phone == null ? PhoneSpec.defaults() : phone;
        password = password == null ? PasswordSpec.defaults() : password;
        sessions = sessions == null ? SessionSpec.defaults() : sessions;
        mfa = mfa == null ? MfaSpec.defaults() : mfa;
        rateLimits = rateLimits == null ? RateLimitsSpec.defaults() : rateLimits;
        providers = providers == null ? List.of() : providers;
    }

    /** The values of Secrets that the settings name, each once. */
    public List<SecretKeyReference> secretReferences() {
        Stream<SecretKeyReference> ofHooks =
                hooks == null ? Stream.of() : hooks.all().map(HookSpec::secretKeyRef);
        Stream<SecretKeyReference> single = Stream.of(
                smtp == null ? null : smtp.passwordSecretRef(), captcha == null ? null : captcha.secretKeyRef());
        return Stream.of(single, ofHooks, providers.stream().map(ProviderSpec::clientSecretRef))
                .flatMap(Function.identity())
                .filter(Objects::nonNull)
                .distinct()
                .toList();
    }

    /** What an absent object means. */
    public static AuthSpec defaults() {
        return new AuthSpec(
                null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
                null);
    }
}
