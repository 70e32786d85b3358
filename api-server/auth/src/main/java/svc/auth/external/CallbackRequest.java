package svc.auth.external;

import com.google.re2j.Pattern;
import io.netty.handler.codec.http.cookie.Cookie;
import io.netty.handler.codec.http.cookie.ServerCookieDecoder;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.AuthRequest;
import svc.auth.http.CallContext;

/**
 * A provider's callback, by its query or, for Apple, by a form.
 *
 * @param state of the authorization request
 * @param outcome of the provider
 * @param cookies the header; empty without one
 */
record CallbackRequest(CallContext context, UUID state, Outcome outcome, Optional<String> cookies) {
    private static final Pattern WORD = Pattern.compile("[A-Za-z_]{1,64}");

    private static final Pattern CONTROL = Pattern.compile("[\\x00-\\x1f\\x7f]");

    private static final int MAX_REASON_CHARACTERS = 300;

    sealed interface Outcome {
        /**
         * @param form Apple's {@code user}, sent with the first sign-in only
         * @param issuer RFC 9207
         */
        record Code(String code, Optional<String> form, Optional<String> issuer) implements Outcome {}

        /** @param error OAuth's code of the refusal */
        record Refused(String error, String reason) implements Outcome {}

        /** Neither a code nor an error. */
        record Incomplete() implements Outcome {}
    }

    static CallbackRequest parse(AuthRequest request) {
        Map<String, String> members = isPost(request) ? request.form() : request.parameters();
        String state = members.getOrDefault("state", "");
        if (state.isEmpty()) {
            throw AuthErrorCode.BAD_OAUTH_CALLBACK.error("OAuth state parameter missing");
        }
        UUID id = AuthRequest.uuid(state)
                .orElseThrow(() -> AuthErrorCode.BAD_OAUTH_STATE.error("OAuth state is invalid"));
        return new CallbackRequest(
                request.context(), id, outcome(members), Optional.ofNullable(request.header("Cookie")));
    }

    static boolean isPost(AuthRequest request) {
        return request.method().equals("POST");
    }

    private static Outcome outcome(Map<String, String> members) {
        String error = members.getOrDefault("error", "");
        if (!error.isEmpty()) {
            String word = WORD.matches(error) ? error : "server_error";
            return new Outcome.Refused(word, reason(members.getOrDefault("error_description", word)));
        }
        String code = members.getOrDefault("code", "");
        return code.isEmpty()
                ? new Outcome.Incomplete()
                : new Outcome.Code(
                        code, Optional.ofNullable(members.get("user")), Optional.ofNullable(members.get("iss")));
    }

    /** The provider's text, without control characters. */
    private static String reason(String text) {
        String plain = CONTROL.matcher(text).replaceAll(" ");
        return plain.length() > MAX_REASON_CHARACTERS ? plain.substring(0, MAX_REASON_CHARACTERS) : plain;
    }

    /** The first cookie of a name. */
    Optional<String> cookie(String name) {
        return cookies.flatMap(header -> ServerCookieDecoder.LAX.decode(header).stream()
                .filter(cookie -> cookie.name().equals(name))
                .map(Cookie::value)
                .findFirst());
    }
}
