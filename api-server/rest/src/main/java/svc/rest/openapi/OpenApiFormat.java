package svc.rest.openapi;

import com.google.re2j.Pattern;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import svc.rest.error.RestError;

/** The formats of the OpenAPI document. */
enum OpenApiFormat {
    /** OpenAPI 2.0, the default. */
    SWAGGER("application/openapi+json; charset=utf-8"),
    /** OpenAPI 3.1, an extension of PostgREST's API. */
    OPENAPI_3_1("application/openapi+json;version=3.1; charset=utf-8");

    /** Maximum number of entries; the rest of the header is ignored, as by {@code Accept}. */
    private static final int MAX_ENTRIES = 100;

    private static final Pattern QUALITY = Pattern.compile("q=[01](\\.[0-9]{0,3})?");

    private final String contentType;

    OpenApiFormat(String contentType) {
        this.contentType = contentType;
    }

    String contentType() {
        return contentType;
    }

    private record Accepted(String type, double quality) {}

    /**
     * The available format with the highest quality in an Accept header.
     *
     * @throws RestError PGRST107 if none is available
     */
    static OpenApiFormat negotiate(Optional<String> accept) {
        if (accept.isEmpty() || accept.get().isBlank()) {
            return SWAGGER;
        }
        List<Accepted> wanted = Stream.of(accept.get().split(",", MAX_ENTRIES + 1))
                .limit(MAX_ENTRIES)
                .map(OpenApiFormat::accepted)
                .filter(one -> one.quality() > 0)
                .sorted(Comparator.comparingDouble(Accepted::quality).reversed())
                .toList();
        return wanted.stream()
                .map(one -> known(one.type()))
                .flatMap(Optional::stream)
                .findFirst()
                .orElseThrow(() -> RestError.mediaTypeNotAvailable(accept.get()));
    }

    private static Accepted accepted(String entry) {
        double quality = 1;
        StringBuilder type = new StringBuilder();
        for (String part : entry.toLowerCase(Locale.ROOT).split(";")) {
            String parameter = part.strip().replace("\"", "");
            if (QUALITY.matches(parameter)) {
                quality = Double.parseDouble(parameter.substring(2));
            } else if (type.isEmpty()) {
                type.append(parameter);
            } else if (parameter.startsWith("version=")) {
                type.append(';').append(parameter);
            }
        }
        return new Accepted(type.toString(), quality);
    }

    private static Optional<OpenApiFormat> known(String type) {
        return switch (type) {
            case "*/*",
                    "application/*",
                    "application/json",
                    "application/openapi+json",
                    "application/openapi+json;version=2.0" -> Optional.of(SWAGGER);
            case "application/openapi+json;version=3.1",
                    "application/openapi+json;version=3.1.0",
                    "application/vnd.oai.openapi+json",
                    "application/vnd.oai.openapi+json;version=3.1",
                    "application/vnd.oai.openapi+json;version=3.1.0" -> Optional.of(OPENAPI_3_1);
            default -> Optional.empty();
        };
    }
}
