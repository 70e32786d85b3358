package svc.crds.project.auth;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Who judges whether a visitor is human. */
public enum CaptchaProvider {
    @JsonProperty("HCaptcha")
    HCAPTCHA,
    @JsonProperty("Turnstile")
    TURNSTILE
}
