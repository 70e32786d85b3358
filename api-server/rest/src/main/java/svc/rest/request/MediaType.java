package svc.rest.request;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A media type of a response. */
public sealed interface MediaType {
    MediaType JSON = new Json();

    /** Its name with the recognised parameters. */
    String name();

    /** The value of the Content-Type header. */
    default String contentType() {
        return name() + "; charset=utf-8";
    }

    /** {@code application/json}. */
    record Json() implements MediaType {
        @Override
        public String name() {
            return "application/json";
        }
    }

    /** Any media type. */
    record Any() implements MediaType {
        @Override
        public String name() {
            return "*/*";
        }
    }

    /** JSON without keys whose value is null. */
    record StrippedArray() implements MediaType {
        @Override
        public String name() {
            return "application/vnd.pgrst.array+json;nulls=stripped";
        }
    }

    /** One object instead of an array; any other number of rows than one is an error. */
    record SingleObject(boolean nullsStripped) implements MediaType {
        @Override
        public String name() {
            return "application/vnd.pgrst.object+json" + (nullsStripped ? ";nulls=stripped" : "");
        }
    }

    /** A header line and a line per row. */
    record Csv() implements MediaType {
        @Override
        public String name() {
            return "text/csv";
        }
    }

    /** A FeatureCollection, rendered by PostGIS. */
    record GeoJson() implements MediaType {
        @Override
        public String name() {
            return "application/geo+json";
        }
    }

    /**
     * The execution plan of the statement.
     *
     * @param of media type of the explained response
     */
    record ExecutionPlan(MediaType of, Format format, List<Option> options) implements MediaType {
        public ExecutionPlan {
            options = List.copyOf(options);
        }

        /** The format of EXPLAIN. */
        public enum Format {
            TEXT,
            JSON
        }

        /** An option of EXPLAIN. */
        public enum Option {
            ANALYZE,
            VERBOSE,
            SETTINGS,
            BUFFERS,
            WAL
        }

        @Override
        public String name() {
            String said = options.isEmpty()
                    ? ""
                    : options.stream().map(ExecutionPlan::word).collect(Collectors.joining("|", "; options=", ""));
            return "application/vnd.pgrst.plan+" + word(format) + "; for=\"" + of.name() + "\"" + said;
        }

        static List<Option> options(String words) {
            return Stream.of(words.split("\\|"))
                    .flatMap(given -> Stream.of(Option.values())
                            .filter(option -> word(option).equals(given)))
                    .distinct()
                    .toList();
        }

        private static String word(Enum<?> value) {
            return value.name().toLowerCase(Locale.ROOT);
        }
    }

    /** A media type that only a media type handler or a function's return type can provide. */
    record Other(String name) implements MediaType {
        private static final List<String> TEXT = List.of("text/plain", "text/xml", "application/openapi+json");

        @Override
        public String contentType() {
            return TEXT.contains(name) ? name + "; charset=utf-8" : name;
        }
    }
}
