package svc.auth.password;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import svc.auth.http.AuthError;
import svc.crds.project.auth.PasswordSpec;
import svc.platform.egress.CallOwner;
import svc.platform.tenancy.Tenant;

/** Applies a project's rules for passwords. */
public final class PasswordRules {
    /** bcrypt ignores further bytes, and its hashes can be imported and exported. */
    static final int MAX_BYTES = 72;

    private static final String LOWER = "abcdefghijklmnopqrstuvwxyz";
    private static final String UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    private static final String DIGITS = "0123456789";

    private final LeakedPasswords leaked;

    public PasswordRules(LeakedPasswords leaked) {
        this.leaked = leaked;
    }

    /** @throws AuthError for a forbidden password, with the reasons */
    public void require(Tenant tenant, String password) {
        requireShort(password);
        weakness(tenant, password).ifPresent(weak -> {
            throw weak;
        });
    }

    private static void requireShort(String password) {
        if (password.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
            throw AuthError.invalid("Password cannot be longer than " + MAX_BYTES + " characters");
        }
    }

    /** The weakness of a password; empty for a strong one. */
    public Optional<AuthError> weakness(Tenant tenant, String password) {
        PasswordSpec spec = tenant.auth().password();
        List<String> reasons = new ArrayList<>();
        List<String> messages = new ArrayList<>();
        if (password.codePointCount(0, password.length()) < spec.minLength()) {
            reasons.add("length");
            messages.add("Password should be at least " + spec.minLength() + " characters.");
        }
        List<String> kinds = kinds(spec);
        if (kinds.stream().anyMatch(kind -> password.chars().noneMatch(c -> kind.indexOf(c) >= 0))) {
            reasons.add("characters");
            messages.add("Password should contain at least one character of each: " + String.join(", ", kinds) + ".");
        }
        if (reasons.isEmpty() && spec.refuseLeaked() && leaked.holds(CallOwner.of(tenant), password)) {
            reasons.add("pwned");
            messages.add("Password is known to be weak and easy to guess, please choose a different one.");
        }
        return reasons.isEmpty()
                ? Optional.empty()
                : Optional.of(AuthError.weakPassword(String.join(" ", messages), reasons));
    }

    private static List<String> kinds(PasswordSpec spec) {
        return switch (spec.requiredCharacters()) {
            case ANY -> List.of();
            case LETTERS_DIGITS -> List.of(LOWER + UPPER, DIGITS);
            case LOWER_UPPER_DIGITS -> List.of(LOWER, UPPER, DIGITS);
            case LOWER_UPPER_DIGITS_SYMBOLS -> List.of(LOWER, UPPER, DIGITS, "!@#$%^&*()_+-=[]{};'\\\\:\"|<>?,./`~");
        };
    }
}
