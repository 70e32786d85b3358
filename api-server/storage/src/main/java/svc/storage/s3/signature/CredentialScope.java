package svc.storage.s3.signature;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.Optional;

/**
 * What a signature is valid for: {@code key/20260131/us-east-1/s3/aws4_request}.
 *
 * @param date of the day, {@code yyyyMMdd}
 * @param region any: the platform has one, and the signature covers what the client believes
 */
record CredentialScope(String accessKey, String date, String region, String service) {
    static final String TERMINATOR = "aws4_request";

    private static final Pattern FORM =
            Pattern.compile("([\\w.-]{1,128})/(\\d{8})/([\\w-]{0,64})/([a-z0-9-]{1,32})/" + TERMINATOR);

    static Optional<CredentialScope> parse(String text) {
        Matcher matcher = FORM.matcher(text);
        return matcher.matches()
                ? Optional.of(
                        new CredentialScope(matcher.group(1), matcher.group(2), matcher.group(3), matcher.group(4)))
                : Optional.empty();
    }

    String text() {
        return date + "/" + region + "/" + service + "/" + TERMINATOR;
    }
}
