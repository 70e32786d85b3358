package svc.rest.request;

import com.google.re2j.Pattern;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import svc.rest.request.MediaType.ExecutionPlan;

/**
 * The accepted media types in order of preference: by quality, then by specificity, then by position in the header.
 *
 * @param header the raw header, for messages
 */
public record Accept(List<MediaType> types, String header) {
    private static final Pattern QUALITY = Pattern.compile("[01](\\.[0-9]{0,3})?");

    /** Maximum number of entries; the rest of the header is ignored. */
    private static final int MAX_ENTRIES = 100;

    private static final String ARRAY = "application/vnd.pgrst.array";
    private static final String OBJECT = "application/vnd.pgrst.object";
    private static final String PLAN = "application/vnd.pgrst.plan";

    public Accept {
        types = List.copyOf(types);
    }

    private record Entry(MediaType type, double quality, int specificity) {}

    /** Any media type without a header. */
    static Accept read(Optional<String> header) {
        if (header.isEmpty() || header.get().isBlank()) {
            return new Accept(List.of(new MediaType.Any()), "*/*");
        }
        List<Entry> entries = new ArrayList<>();
        for (String part : split(header.get(), ',')) {
            if (entries.size() < MAX_ENTRIES && !part.isBlank()) {
                entry(part).filter(entry -> entry.quality() > 0).ifPresent(entries::add);
            }
        }
        return new Accept(
                entries.stream()
                        .sorted(Comparator.comparingDouble(Entry::quality)
                                .thenComparingInt(Entry::specificity)
                                .reversed())
                        .map(Entry::type)
                        .toList(),
                header.get());
    }

    private static Optional<Entry> entry(String text) {
        List<String> parts = split(text, ';');
        String name = parts.getFirst().strip().toLowerCase(Locale.ROOT);
        Map<String, String> parameters = new HashMap<>();
        for (String part : parts.subList(1, parts.size())) {
            int equals = part.indexOf('=');
            if (equals > 0) {
                parameters.put(
                        part.substring(0, equals).strip().toLowerCase(Locale.ROOT),
                        unquoted(part.substring(equals + 1).strip()));
            }
        }
        int stars = (int) name.chars().filter(c -> c == '*').count();
        return Optional.of(new Entry(type(name, parameters), quality(parameters), parts.size() - 1 - stars));
    }

    private static MediaType type(String name, Map<String, String> parameters) {
        boolean stripped = "stripped".equals(parameters.get("nulls"));
        return switch (name) {
            case "*/*", "application/*" -> new MediaType.Any();
            case "application/json" -> MediaType.JSON;
            case ARRAY, ARRAY + "+json" -> stripped ? new MediaType.StrippedArray() : MediaType.JSON;
            case OBJECT, OBJECT + "+json" -> new MediaType.SingleObject(stripped);
            case "text/csv" -> new MediaType.Csv();
            case "application/geo+json" -> new MediaType.GeoJson();
            case PLAN, PLAN + "+text", PLAN + "+json" ->
                new ExecutionPlan(
                        explained(parameters.get("for")),
                        name.equals(PLAN + "+json") ? ExecutionPlan.Format.JSON : ExecutionPlan.Format.TEXT,
                        ExecutionPlan.options(parameters.getOrDefault("options", "")));
            default -> new MediaType.Other(name);
        };
    }

    /** The media type of the parameter {@code for}; JSON if that is itself a plan. */
    private static MediaType explained(String of) {
        if (of == null) {
            return MediaType.JSON;
        }
        MediaType type = entry(of).map(Entry::type).orElse(MediaType.JSON);
        return type instanceof ExecutionPlan ? MediaType.JSON : type;
    }

    private static double quality(Map<String, String> parameters) {
        String given = parameters.getOrDefault("q", "1");
        return QUALITY.matches(given) ? Double.parseDouble(given) : 1;
    }

    private static String unquoted(String value) {
        return value.length() > 1 && value.startsWith("\"") && value.endsWith("\"")
                ? value.substring(1, value.length() - 1)
                : value;
    }

    /** Splits at a character outside quotes. */
    private static List<String> split(String text, char at) {
        List<String> parts = new ArrayList<>();
        boolean quoted = false;
        int from = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            quoted ^= c == '"';
            if (c == at && !quoted) {
                parts.add(text.substring(from, i));
                from = i + 1;
            }
        }
        parts.add(text.substring(from));
        return parts;
    }
}
