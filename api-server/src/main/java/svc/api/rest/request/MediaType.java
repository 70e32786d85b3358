package svc.api.rest.request;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import svc.api.rest.error.RestError;

/**
 * What the answer looks like.
 *
 * @param singular one object instead of an array, and an error unless there is exactly one row
 * @param nullsStripped keys whose value is null are left out
 */
public record MediaType(boolean singular, boolean nullsStripped) {
    private static final String ARRAY = "application/vnd.pgrst.array";
    private static final String OBJECT = "application/vnd.pgrst.object";
    private static final List<String> LATER =
            List.of("text/csv", "application/geo+json", "application/vnd.pgrst.plan", "application/openapi+json");

    private record Accepted(String type, double quality) {}

    /** The first acceptable type of the Accept header, by quality and then by order; JSON when there is no header. */
    static MediaType negotiate(Optional<String> accept) {
        if (accept.isEmpty() || accept.get().isBlank()) {
            return new MediaType(false, false);
        }
        List<Accepted> accepted = Stream.of(accept.get().split(","))
                .map(MediaType::accepted)
                .filter(entry -> entry.quality() > 0)
                .sorted(Comparator.comparingDouble(Accepted::quality).reversed())
                .toList();
        return accepted.stream()
                .map(entry -> known(entry.type()))
                .flatMap(Optional::stream)
                .findFirst()
                .orElseThrow(() -> unavailable(accepted, accept.get()));
    }

    /** The value of the Content-Type header. */
    public String contentType() {
        if (singular) {
            return OBJECT + "+json" + parameters();
        }
        return nullsStripped ? ARRAY + "+json" + parameters() : "application/json; charset=utf-8";
    }

    private String parameters() {
        return (nullsStripped ? ";nulls=stripped" : "") + "; charset=utf-8";
    }

    private static RestError unavailable(List<Accepted> accepted, String header) {
        boolean later = accepted.stream().anyMatch(entry -> LATER.stream().anyMatch(entry.type()::startsWith));
        return later ? RestError.notImplemented("The media type " + header) : RestError.mediaType(header);
    }

    private static Accepted accepted(String entry) {
        String[] parts = entry.strip().toLowerCase(Locale.ROOT).split(";");
        double quality = 1;
        var type = new StringBuilder(parts.length == 0 ? "" : parts[0].strip());
        for (int i = 1; i < parts.length; i++) {
            String parameter = parts[i].strip();
            if (parameter.matches("q=[01](\\.[0-9]{0,3})?")) {
                quality = Double.parseDouble(parameter.substring(2));
            } else if (parameter.startsWith("nulls=")) {
                type.append(';').append(parameter);
            }
        }
        return new Accepted(type.toString(), quality);
    }

    private static Optional<MediaType> known(String type) {
        return switch (type) {
            case "*/*", "application/*", "application/json", ARRAY, ARRAY + "+json" ->
                Optional.of(new MediaType(false, false));
            case ARRAY + "+json;nulls=stripped", ARRAY + ";nulls=stripped" -> Optional.of(new MediaType(false, true));
            case OBJECT, OBJECT + "+json" -> Optional.of(new MediaType(true, false));
            case OBJECT + "+json;nulls=stripped", OBJECT + ";nulls=stripped" -> Optional.of(new MediaType(true, true));
            default -> Optional.empty();
        };
    }
}
