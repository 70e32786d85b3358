package svc.auth.model;

import com.google.re2j.Pattern;
import java.util.Locale;
import svc.auth.http.AuthError;

/** Email addresses of users: in lower case, and only addresses that need no quoting in a mail header. */
public final class EmailAddress {
    private static final int MAX_CHARACTERS = 254;

    // No control characters, no spaces, nothing that begins another header or a second recipient.
    private static final Pattern SHAPE = Pattern.compile(
            "[^@\\s\\x00-\\x1f\\x7f\",:;<>()\\[\\]\\\\]{1,64}@[^@\\s\\x00-\\x1f\\x7f\",:;<>()\\[\\]\\\\.]+(\\.[^@\\s\\x00-\\x1f\\x7f\",:;<>()\\[\\]\\\\.]+)+");

    private EmailAddress() {}

    /** @throws AuthError unless the text is an address */
    public static String of(String text) {
        String address = text.strip().toLowerCase(Locale.ROOT);
        if (address.length() > MAX_CHARACTERS || !SHAPE.matcher(address).matches()) {
            throw AuthError.invalid("Unable to validate email address: invalid format");
        }
        return address;
    }
}
