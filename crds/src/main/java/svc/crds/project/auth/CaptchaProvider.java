package svc.crds.project.auth;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The captcha provider. */
public enum CaptchaProvider {
    @JsonProperty("HCaptcha")
    HCAPTCHA,
    @JsonProperty("Turnstile")
    TURNSTILE
}
