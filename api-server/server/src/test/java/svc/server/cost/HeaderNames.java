package svc.server.cost;

import io.netty.handler.codec.http.HttpHeaderNames;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Names of headers that the API server may read. */
final class HeaderNames {
    /** Constants of this form are rarely anything else, and a name too many costs one request. */
    private static final Pattern CONSTANT = Pattern.compile("\"([A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)+)\"");

    private static final Set<String> OF_ONE_WORD = Set.of("apikey", "prefer", "tracestate", "traceparent");

    /** With another value than theirs the request is none, or another one. */
    private static final Set<String> OF_THE_CONNECTION =
            Set.of("connection", "content-length", "host", "transfer-encoding");

    private HeaderNames() {}

    /** In lower case: constants of the sources, and what Netty names. */
    static List<String> all() {
        Set<String> names = new TreeSet<>(OF_ONE_WORD);
        for (Field field : HttpHeaderNames.class.getFields()) {
            names.add(constant(field));
        }
        try (Stream<Path> sources = Files.walk(Path.of(".."))) {
            for (Path source : sources.filter(HeaderNames::isSource).toList()) {
                CONSTANT.matcher(Files.readString(source))
                        .results()
                        .forEach(found -> names.add(found.group(1).toLowerCase(Locale.ROOT)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("while reading the sources", e);
        }
        names.removeAll(OF_THE_CONNECTION);
        return new ArrayList<>(names);
    }

    private static boolean isSource(Path path) {
        return path.toString().endsWith(".java") && path.toString().contains("/src/main/java/");
    }

    private static String constant(Field field) {
        try {
            return field.get(null).toString();
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }
}
