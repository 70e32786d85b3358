package svc.auth.phone;

import java.util.regex.Pattern;
import svc.auth.http.AuthError;

/** Numbers as they are kept: E.164 without the plus. */
public final class PhoneNumber {
    private static final Pattern SHAPE = Pattern.compile("[1-9][0-9]{6,14}");

    private PhoneNumber() {}

    /** @throws AuthError for what is no number */
    public static String of(String text) {
        String number = text.replace(" ", "");
        number = number.startsWith("+") ? number.substring(1) : number;
        if (!SHAPE.matcher(number).matches()) {
            throw AuthError.invalid("Invalid phone number format (E.164 required)");
        }
        return number;
    }
}
