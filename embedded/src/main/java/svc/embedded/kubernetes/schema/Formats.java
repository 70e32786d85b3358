package svc.embedded.kubernetes.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.re2j.Pattern;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.Base64;
import java.util.Map;
import java.util.function.Predicate;

/** The formats that are validated. An unknown format is ignored, as in Kubernetes. */
final class Formats {

    private static final Pattern UUID =
            Pattern.compile("(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$");
    private static final Pattern HOST_NAME =
            Pattern.compile("(?i)^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*\\.?$");
    private static final Pattern EMAIL = Pattern.compile("^[^@\\s]+@[^@\\s]+$");
    private static final Pattern IPV4 =
            Pattern.compile("^((25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])\\.){3}(25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])$");
    private static final Pattern IPV6 = Pattern.compile("^[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*$");
    private static final Pattern GO_DURATION = Pattern.compile("^[+-]?(0|([0-9]+(\\.[0-9]*)?(ns|us|µs|ms|s|m|h))+)$");

    private static final Map<String, Predicate<String>> ON_STRINGS = Map.of(
            "date-time", text -> parses(() -> OffsetDateTime.parse(text)),
            "date", text -> parses(() -> LocalDate.parse(text)),
            "duration", text -> GO_DURATION.matcher(text).matches(),
            "uuid", text -> UUID.matcher(text).matches(),
            "hostname", text -> text.length() <= 255 && HOST_NAME.matcher(text).matches(),
            "email", text -> EMAIL.matcher(text).matches(),
            "ipv4", text -> IPV4.matcher(text).matches(),
            "ipv6", text -> IPV6.matcher(text).matches(),
            "uri", Formats::isAbsoluteUri,
            "byte", Formats::isBase64);

    private Formats() {}

    static boolean accepts(String format, JsonNode value) {
        if (value.isNumber()) {
            return switch (format) {
                case "int32" -> value.canConvertToInt();
                case "int64" -> value.canConvertToLong();
                default -> true;
            };
        }
        Predicate<String> check = ON_STRINGS.get(format);
        return check == null || !value.isTextual() || check.test(value.textValue());
    }

    private static boolean parses(Runnable parse) {
        try {
            parse.run();
            return true;
        } catch (DateTimeException e) {
            return false;
        }
    }

    private static boolean isAbsoluteUri(String text) {
        try {
            return new URI(text).isAbsolute();
        } catch (URISyntaxException e) {
            return false;
        }
    }

    private static boolean isBase64(String text) {
        try {
            Base64.getDecoder().decode(text);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
