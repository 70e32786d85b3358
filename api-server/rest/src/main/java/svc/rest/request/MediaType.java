package svc.rest.request;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A media type that an answer can be asked for in. */
public sealed interface MediaType {
    MediaType JSON = new Json();

    /** Its name with the parameters that it was understood with. */
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

    /** Whatever the resource gives by itself. */
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

    /** One object instead of an array, and an error unless there is exactly one row. */
    record SingleObject(boolean nullsStripped) implements MediaType {
        @Override
        public String name() {
            return "application/vnd.pgrst.object+json" + (nullsStripped ? ";nulls=stripped" : "");
        }
    }

    /** A header and a line for each row. */
    record Csv() implements MediaType {
        @Override
        public String name() {
            return "text/csv";
        }
    }

    /** A FeatureCollection, which PostGIS renders. */
    record GeoJson() implements MediaType {
        @Override
        public String name() {
            return "application/geo+json";
        }
    }

    /**
     * How PostgreSQL would make the answer, instead of the answer.
     *
     * @param of the media type of the answer that is explained
     */
    record ExecutionPlan(MediaType of, Format format, List<Option> options) implements MediaType {
        public ExecutionPlan {
            options = List.copyOf(options);
        }

        /** How it is written. */
        public enum Format {
            TEXT,
            JSON
        }

        /** What it says besides. */
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

    /** One that only a function of the project, or a value of such a type, can give. */
    record Other(String name) implements MediaType {
        private static final List<String> TEXT = List.of("text/plain", "text/xml");

        @Override
        public String contentType() {
            return TEXT.contains(name) ? name + "; charset=utf-8" : name;
        }
    }
}
