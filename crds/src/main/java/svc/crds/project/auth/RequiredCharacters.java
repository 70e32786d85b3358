package svc.crds.project.auth;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Required kinds of characters of a password. */
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
