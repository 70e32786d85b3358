package svc.auth.model;

import java.util.Locale;
import java.util.regex.Pattern;
import svc.auth.http.AuthError;

/** Email addresses of users: in lower case, and only addresses that need no quoting in a mail header. */
public final class EmailAddress {
    private static final int MAX_CHARACTERS = 254;

    // No control characters, no spaces, nothing that begins another header or a second recipient.
    private static final Pattern SHAPE = Pattern.compile(
            "[^@\\s\\p{Cntrl}\",:;<>()\\[\\]\\\\]{1,64}@[^@\\s\\p{Cntrl}\",:;<>()\\[\\]\\\\.]+(\\.[^@\\s\\p{Cntrl}\",:;<>()\\[\\]\\\\.]+)+");

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
