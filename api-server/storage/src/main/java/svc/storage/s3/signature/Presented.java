package svc.storage.s3.signature;

import com.google.re2j.Pattern;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import svc.storage.s3.xml.S3Error;

/**
 * A signature that a request carries, and what it says it covers. Nothing of it is verified yet.
 *
 * @param signed names of headers, in lower case and in order
 * @param time {@code yyyyMMdd'T'HHmmss'Z'}
 * @param validity of a presigned URL; empty for a signature in headers
 * @param payload {@code x-amz-content-sha256}: a hash, or what stands for one
 */
record Presented(
        CredentialScope scope,
        List<String> signed,
        String signature,
        String time,
        Optional<Duration> validity,
        String payload,
        Optional<String> sessionToken) {
    static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private static final Pattern SECONDS = Pattern.compile("\\d{1,6}");
    private static final Pattern HEX = Pattern.compile("[0-9a-f]{64}");
    private static final String CONTENT_HASH = "x-amz-content-sha256";
    private static final String UNSIGNED = "UNSIGNED-PAYLOAD";

    /** Those of the protocol, of HTTP and of 2 KB of user metadata: clients sign about ten. */
    private static final int MAX_SIGNED = 128;

    private static final long MAX_VALIDITY_SECONDS = Duration.ofDays(7).toSeconds();

    /** @throws S3Error for a request without a signature, or with one that cannot be read */
    static Presented of(SignedRequest request) {
        Optional<String> header = request.header("authorization");
        if (header.isPresent()) {
            return ofHeader(request, header.get());
        }
        if (request.parameter("X-Amz-Algorithm").isPresent()) {
            return ofQuery(request);
        }
        if (request.parameter("Signature").isPresent()
                && request.parameter("AWSAccessKeyId").isPresent()) {
            throw otherVersion();
        }
        throw S3Error.accessDenied("Access Denied: the request is not signed.");
    }

    private static S3Error otherVersion() {
        return S3Error.invalidRequest(
                "The authorization mechanism you have provided is not supported. Please use AWS4-HMAC-SHA256.");
    }

    private static Presented ofHeader(SignedRequest request, String header) {
        if (!header.startsWith(SigV4.ALGORITHM + " ")) {
            throw otherVersion();
        }
        Map<String, String> fields = new HashMap<>();
        for (String field : header.substring(SigV4.ALGORITHM.length()).split(",")) {
            int equals = field.indexOf('=');
            if (equals > 0) {
                fields.put(
                        field.substring(0, equals).strip(),
                        field.substring(equals + 1).strip());
            }
        }
        CredentialScope scope = CredentialScope.parse(fields.getOrDefault("Credential", ""))
                .orElseThrow(() -> S3Error.malformedAuthorization(
                        "The Credential must be <access key>/<yyyyMMdd>/<region>/s3/aws4_request."));
        String payload = request.header(CONTENT_HASH)
                .orElseThrow(() -> S3Error.invalidRequest("Missing required header for this request: " + CONTENT_HASH));
        String time = request.header("x-amz-date")
                .or(() -> request.header("date").flatMap(Presented::ofHttpDate))
                .orElseThrow(
                        () -> S3Error.accessDenied("AWS authentication requires a valid Date or x-amz-date header"));
        return new Presented(
                scope,
                names(fields.getOrDefault("SignedHeaders", "")),
                signature(fields.getOrDefault("Signature", "")),
                time,
                Optional.empty(),
                payload,
                request.header("x-amz-security-token"));
    }

    private static Optional<String> ofHttpDate(String date) {
        try {
            return Optional.of(TIME.format(ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME)));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    private static Presented ofQuery(SignedRequest request) {
        if (!request.parameter("X-Amz-Algorithm").orElse("").equals(SigV4.ALGORITHM)) {
            throw S3Error.malformedQueryAuthorization("X-Amz-Algorithm only supports \"AWS4-HMAC-SHA256\"");
        }
        CredentialScope scope = CredentialScope.parse(
                        request.parameter("X-Amz-Credential").orElse(""))
                .orElseThrow(() -> S3Error.malformedQueryAuthorization(
                        "X-Amz-Credential must be <access key>/<yyyyMMdd>/<region>/s3/aws4_request."));
        return new Presented(
                scope,
                names(request.parameter("X-Amz-SignedHeaders").orElse("")),
                signature(request.parameter("X-Amz-Signature").orElse("")),
                request.parameter("X-Amz-Date").orElse(""),
                Optional.of(validity(request.parameter("X-Amz-Expires").orElse(""))),
                request.header(CONTENT_HASH)
                        .or(() -> request.parameter("X-Amz-Content-Sha256"))
                        .orElse(UNSIGNED),
                request.parameter("X-Amz-Security-Token"));
    }

    private static Duration validity(String seconds) {
        if (!SECONDS.matcher(seconds).matches() || Long.parseLong(seconds) < 1) {
            throw S3Error.malformedQueryAuthorization("X-Amz-Expires must be a number of seconds from 1 to 604800");
        }
        if (Long.parseLong(seconds) > MAX_VALIDITY_SECONDS) {
            throw S3Error.malformedQueryAuthorization("X-Amz-Expires must be less than a week (in seconds): 604800");
        }
        return Duration.ofSeconds(Long.parseLong(seconds));
    }

    /**
     * Hazard: nothing is verified yet, and each name stands for its header's value in what is hashed. So each comes once,
     * which the order of Signature Version 4 proves, and what is hashed is no longer than the head of the request.
     */
    private static List<String> names(String list) {
        List<String> names = Arrays.stream(list.split(";", MAX_SIGNED + 2))
                .filter(name -> !name.isEmpty())
                .map(name -> name.toLowerCase(Locale.ROOT))
                .toList();
        boolean ascending = true;
        for (int i = 1; i < names.size(); i++) {
            ascending &= names.get(i - 1).compareTo(names.get(i)) < 0;
        }
        if (names.size() > MAX_SIGNED || !ascending || !names.contains("host")) {
            throw S3Error.malformedAuthorization(
                    "The header host must be signed, and the names of signed headers must be"
                            + " in alphabetical order, each once, and at most " + MAX_SIGNED + ".");
        }
        return names;
    }

    private static String signature(String text) {
        if (!HEX.matcher(text).matches()) {
            throw S3Error.malformedAuthorization("The Signature must be 64 hexadecimal digits.");
        }
        return text;
    }

    /** @throws S3Error for one that is no time, or not of the day of the scope */
    Instant instant() {
        try {
            Instant instant = TIME.parse(time, Instant::from);
            if (time.startsWith(scope.date())) {
                return instant;
            }
        } catch (DateTimeException e) {
            // Refused as one of another day is.
        }
        throw S3Error.malformedAuthorization(
                "The date of the request must be yyyyMMddTHHmmssZ, of the Credential's day.");
    }
}
