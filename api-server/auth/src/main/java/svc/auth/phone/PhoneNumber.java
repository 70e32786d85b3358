package svc.auth.phone;

import com.google.re2j.Pattern;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.AuthRequest;

/** Phone numbers of users: E.164 without the plus. */
public final class PhoneNumber {
    private static final Pattern SHAPE = Pattern.compile("[1-9][0-9]{6,14}");

    private PhoneNumber() {}

    /** @throws AuthError unless the text is a number */
    public static String of(String text) {
        String number = text.replace(" ", "");
        number = number.startsWith("+") ? number.substring(1) : number;
        if (!SHAPE.matcher(number).matches()) {
            throw AuthError.invalid("Invalid phone number format (E.164 required)");
        }
        return number;
    }

    /** @throws AuthError with {@code disabled} where the project has no users with phone numbers */
    public static String of(AuthRequest request, AuthErrorCode disabled) {
        if (!request.tenant().auth().phone().enabled()) {
            throw disabled.error();
        }
        return of(request.text("phone").orElse(""));
    }
}
