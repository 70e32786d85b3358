package svc.management.page;

import com.google.re2j.Pattern;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** URL-encoded fields, each sent once at most. An empty one counts as not sent. Pure. */
public record FormFields(Map<String, String> values) {
    private static final Pattern NAME = Pattern.compile("[a-z_]{1,40}");

    private static final int MAX_FIELDS = 64;

    public FormFields {
        values = Map.copyOf(values);
    }

    /** @throws FormFault for a repeated field, and for text that is not URL-encoded */
    public static FormFields ofBody(byte[] body) {
        return of(new String(body == null ? new byte[0] : body, StandardCharsets.UTF_8));
    }

    /** The same for a query string without its question mark; may be null. */
    public static FormFields ofQuery(String query) {
        return of(query == null ? "" : query);
    }

    private static FormFields of(String encoded) {
        Map<String, String> values = new HashMap<>();
        try {
            var decoder = new QueryStringDecoder(encoded, StandardCharsets.UTF_8, false, MAX_FIELDS, true);
            for (Map.Entry<String, List<String>> field : decoder.parameters().entrySet()) {
                if (field.getValue().size() > 1) {
                    throw new FormFault("A parameter was sent twice: " + known(field.getKey()));
                }
                String value = field.getValue().getFirst();
                if (!value.isEmpty()) {
                    values.put(field.getKey(), value);
                }
            }
        } catch (IllegalArgumentException e) {
            throw new FormFault("The parameters are not URL-encoded.");
        }
        return new FormFields(values);
    }

    private static String known(String name) {
        return NAME.matches(name) ? name : "(another)";
    }

    public Optional<String> optional(String name) {
        return Optional.ofNullable(values.get(name));
    }

    /** Names alone: values may be secrets. */
    @Override
    public String toString() {
        return "FormFields" + values.keySet();
    }
}
