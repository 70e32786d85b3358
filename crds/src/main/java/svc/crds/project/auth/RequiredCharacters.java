package svc.crds.project.auth;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Which characters a password needs. */
public enum RequiredCharacters {
    @JsonProperty("Any")
    ANY,
    @JsonProperty("LettersDigits")
    LETTERS_DIGITS,
    @JsonProperty("LowerUpperDigits")
    LOWER_UPPER_DIGITS,
    @JsonProperty("LowerUpperDigitsSymbols")
    LOWER_UPPER_DIGITS_SYMBOLS
}
