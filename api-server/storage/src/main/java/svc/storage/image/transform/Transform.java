package svc.storage.image.transform;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.re2j.Pattern;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import svc.storage.http.StorageError;

/**
 * What is wanted of an image, with storage-api's names, limits and messages. The text form is the claim of a signed URL.
 *
 * @param width of 1 to 2,000 pixels; 0 for none
 * @param height of 1 to 2,000 pixels; 0 for none
 * @param quality 20 to 100; 0 for the default
 * @param format {@code origin}, {@code webp} or {@code avif}; empty to choose by the request's Accept
 * @param gravity the part that {@link Resize#COVER} keeps
 */
public record Transform(
        int width, int height, Optional<Resize> resize, int quality, String format, Optional<Gravity> gravity) {
    private static final int MAX_SIDE = 2_000;
    private static final int MIN_QUALITY = 20;
    private static final int MAX_QUALITY = 100;
    private static final int DEFAULT_QUALITY = 80;
    private static final int MAX_NUMBER = 12;
    private static final Pattern WHOLE = Pattern.compile("-?\\d{1," + MAX_NUMBER + "}");
    private static final Pattern DECIMAL = Pattern.compile("-?\\d+(\\.\\d+)?");
    private static final Set<String> FORMATS = Set.of("origin", "webp", "avif");
    private static final String ONE_OF = " must be equal to one of the allowed values";

    /**
     * @param name of a compass point, {@code ce} centre, {@code sm} what draws attention, {@code fp} the point that the
     *     offsets give as shares of width and height
     */
    public record Gravity(String name, double x, double y) {
        static final Set<String> NAMES =
                Set.of("no", "so", "ea", "we", "noea", "nowe", "soea", "sowe", "ce", "sm", "fp");
        static final Gravity CENTRE = new Gravity("ce", 0, 0);

        private String text() {
            return x == 0 && y == 0 ? name : name + ":" + number(x) + ":" + number(y);
        }

        private static String number(double value) {
            return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
        }
    }

    /** Of the parameters of a query. */
    public static Transform of(Function<String, Optional<String>> query) {
        return new Reader("querystring/", query).read();
    }

    /** Of the field {@code transform} of a body; empty when nothing is wanted. */
    public static Optional<Transform> of(JsonNode body) {
        if (body.isMissingNode() || body.isNull()) {
            return Optional.empty();
        }
        if (!body.isObject()) {
            throw StorageError.invalidRequest("body/transform must be object");
        }
        Transform wanted = new Reader(
                        "body/transform/",
                        name -> Optional.of(body.path(name))
                                .filter(value -> !value.isMissingNode() && !value.isNull())
                                .map(value -> value.isContainerNode() ? "{}" : value.asText()))
                .read();
        return wanted.text().isEmpty() ? Optional.empty() : Optional.of(wanted);
    }

    /** Of the text form. */
    public static Transform parse(String text) {
        Map<String, String> values = new HashMap<>();
        for (String part : text.split(",")) {
            String[] pair = part.split(":", 2);
            if (pair.length == 2) {
                values.put(pair[0], pair[1]);
            }
        }
        String[] gravity = values.getOrDefault("gravity", "").split(":");
        if (gravity.length == 3) {
            values.put("gravity", gravity[0]);
            values.put("x_offset", gravity[1]);
            values.put("y_offset", gravity[2]);
        }
        return of(name -> Optional.ofNullable(values.get(name)).filter(value -> !value.isEmpty()));
    }

    private record Reader(String where, Function<String, Optional<String>> values) {
        Transform read() {
            return new Transform(
                    side("width"),
                    side("height"),
                    text("resize").map(name -> Resize.of(name).orElseThrow(() -> wrong("resize", ONE_OF))),
                    quality(),
                    format(),
                    gravity());
        }

        private Optional<String> text(String name) {
            return values.apply(name);
        }

        private String format() {
            String format = text("format").orElse("");
            if (!format.isEmpty() && !FORMATS.contains(format)) {
                throw wrong("format", ONE_OF);
            }
            return format;
        }

        /** Larger ones are cut down to the limit, as upstream does. */
        private int side(String name) {
            long side = whole(name).orElse(0L);
            if (side < 0) {
                throw wrong(name, " must be >= 0");
            }
            return (int) Math.min(side, MAX_SIDE);
        }

        private int quality() {
            Optional<Long> quality = whole("quality");
            if (quality.isEmpty()) {
                return 0;
            }
            if (quality.get() < MIN_QUALITY) {
                throw wrong("quality", " must be >= " + MIN_QUALITY);
            }
            if (quality.get() > MAX_QUALITY) {
                throw wrong("quality", " must be <= " + MAX_QUALITY);
            }
            return quality.get().intValue();
        }

        private Optional<Gravity> gravity() {
            Optional<String> name = text("gravity");
            Optional<Double> x = decimal("x_offset");
            Optional<Double> y = decimal("y_offset");
            if (name.isEmpty() && x.isEmpty() && y.isEmpty()) {
                return Optional.empty();
            }
            Gravity gravity = new Gravity(name.orElse("ce"), x.orElse(0d), y.orElse(0d));
            if (!Gravity.NAMES.contains(gravity.name())) {
                throw wrong("gravity", ONE_OF);
            }
            if (gravity.name().equals("fp")
                    && (x.isEmpty() || y.isEmpty() || !isShare(gravity.x()) || !isShare(gravity.y()))) {
                throw wrong("gravity", " fp requires x_offset and y_offset from 0 to 1");
            }
            return Optional.of(gravity);
        }

        private static boolean isShare(double value) {
            return value >= 0 && value <= 1;
        }

        private Optional<Long> whole(String name) {
            return text(name).map(value -> {
                if (!WHOLE.matcher(value).matches()) {
                    throw wrong(name, " must be integer");
                }
                return Long.parseLong(value);
            });
        }

        private Optional<Double> decimal(String name) {
            return text(name).map(value -> {
                if (value.length() > MAX_NUMBER || !DECIMAL.matcher(value).matches()) {
                    throw wrong(name, " must be number");
                }
                return Double.parseDouble(value);
            });
        }

        private StorageError wrong(String name, String why) {
            return StorageError.invalidRequest(where + name + why);
        }
    }

    /** As the claim of a signed URL; empty when nothing is wanted. */
    public String text() {
        List<String> parts = new ArrayList<>();
        sides(parts);
        resize.ifPresent(how -> parts.add("resize:" + how.text()));
        quality(parts);
        if (!format.isEmpty()) {
            parts.add("format:" + format);
        }
        gravity.ifPresent(where -> parts.add("gravity:" + where.text()));
        return String.join(",", parts);
    }

    /** As the header {@code X-Transformations}: in the words of the program that storage-api asks. */
    public String header() {
        List<String> parts = new ArrayList<>();
        sides(parts);
        if (width > 0 || height > 0) {
            parts.add("resizing_type:" + mode().shown());
        }
        quality(parts);
        if (!format.isEmpty() && !format.equals("origin")) {
            parts.add("format:" + format);
        }
        gravity.ifPresent(where -> parts.add("gravity:" + where.text()));
        return String.join(",", parts);
    }

    private void sides(List<String> parts) {
        if (height > 0) {
            parts.add("height:" + height);
        }
        if (width > 0) {
            parts.add("width:" + width);
        }
    }

    private void quality(List<String> parts) {
        if (quality > 0) {
            parts.add("quality:" + quality);
        }
    }

    public Resize mode() {
        return resize.orElse(Resize.COVER);
    }

    public int qualityOrDefault() {
        return quality == 0 ? DEFAULT_QUALITY : quality;
    }

    public Gravity where() {
        return gravity.orElse(Gravity.CENTRE);
    }

    /** The format of the answer: {@code origin}, {@code webp} or {@code avif}. A client that reads WebP gets it unasked. */
    public String formatFor(String accept) {
        if (!format.isEmpty()) {
            return format;
        }
        return accept.contains("image/webp") ? "webp" : "origin";
    }

    /** Whether the answer depends on the header {@code Accept}. */
    public boolean negotiates() {
        return format.isEmpty();
    }
}
