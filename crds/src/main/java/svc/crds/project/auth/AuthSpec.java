package svc.crds.project.auth;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
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
@JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
public record AuthSpec(
        @Default("true") @JsonPropertyDescription("Whether the service is enabled.")
        Boolean enabled,

        @Size(max = 2048) @Pattern("^https?://[^\\s]+$") @JsonPropertyDescription("Default redirect URL.")
        String siteUrl,

        @Size(max = 64) @JsonPropertyDescription("Allowed redirect URLs, with * as a wildcard.")
        List<@Size(min = 1, max = 2048) String> redirectUrls,

        @Default("true") @JsonPropertyDescription("Whether new users may sign up.")
        Boolean signUp,

        @Default("false") @JsonPropertyDescription("Whether anonymous sign-in is enabled.")
        Boolean anonymousSignIn,

        @Default("false") @JsonPropertyDescription("Whether users may link further identities.")
        Boolean manualLinking,

        @Default("{}") @JsonPropertyDescription("Access tokens.")
        JwtSpec jwt,

        @Default("{}") @JsonPropertyDescription("Sign-in by e-mail.")
        EmailSpec email,

        @Default("{}") @JsonPropertyDescription("Sign-in by phone.")
        PhoneSpec phone,

        @Default("{}") @JsonPropertyDescription("Password policy.")
        PasswordSpec password,

        @Default("{}") @JsonPropertyDescription("Lifetime of sessions and refresh tokens.")
        SessionSpec sessions,

        @Default("{}") @JsonPropertyDescription("Multi-factor authentication.")
        MfaSpec mfa,

        @Default("{}") @JsonPropertyDescription("Rate limits.")
        RateLimitsSpec rateLimits,

        @JsonPropertyDescription("SMTP server for mails.") SmtpSpec smtp,

        @JsonPropertyDescription("Mail templates.") MailTemplates templates,

        @JsonPropertyDescription("Captcha before sign-up, sign-in and recovery.")
        CaptchaSpec captcha,

        @JsonPropertyDescription("Auth hooks.") HooksSpec hooks,

        @Size(max = 32) @JsonPropertyDescription("External identity providers (OAuth, OIDC).")
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

    /** All Secret references in the settings, without duplicates. */
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

    /** The defaults of an absent object. */
    public static AuthSpec defaults() {
        return new AuthSpec(
                null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
                null);
    }
}
