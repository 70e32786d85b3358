package svc.storage;

import io.vertx.core.http.HttpMethod;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import svc.storage.body.BodyReader;
import svc.storage.http.StorageCall;
import svc.storage.http.StorageError;

/** The routes of the service, more special ones first. */
final class RouteTable {
    private static final Set<String> PLANNED = Set.of("/vector", "/iceberg");

    private final List<Route> routes = new ArrayList<>();

    /** What is done with the body. */
    sealed interface Endpoint {
        /** It is small, and JSON, or there is none. */
        record Whole(Consumer<StorageCall> answer) implements Endpoint {}

        /** There is none. The endpoint runs on the event loop, and does not block it. */
        record Direct(BiConsumer<StorageCall, Consumer<Throwable>> answer) implements Endpoint {}

        /** It is read as it arrives. */
        record Streamed(BiConsumer<StorageCall, BodyReader> answer) implements Endpoint {}
    }

    /**
     * One route.
     *
     * @param prefix of the path, without the slash behind it
     * @param parts what follows
     */
    private record Route(HttpMethod method, String prefix, Parts parts, String operation, Endpoint endpoint) {}

    /** What follows the prefix of a route. */
    enum Parts {
        NONE(""),
        BUCKET("/{bucket}"),
        /** One segment that names no bucket; the call has it in its place. */
        ID("/{id}"),
        /** The bucket's name, then {@code /empty}. */
        BUCKET_TO_EMPTY("/{bucket}/empty"),
        OBJECT("/{bucket}/{object}");

        private final String template;

        Parts(String template) {
            this.template = template;
        }
    }

    /** A route that fits a path. */
    record Match(Endpoint endpoint, String operation, String bucket, String object) {}

    RouteTable whole(HttpMethod method, String prefix, Parts parts, String operation, Consumer<StorageCall> answer) {
        routes.add(new Route(method, prefix, parts, operation, new Endpoint.Whole(answer)));
        return this;
    }

    /** @param answer gets the call, and what answers a failure, to be called on the same event loop */
    RouteTable direct(
            HttpMethod method,
            String prefix,
            Parts parts,
            String operation,
            BiConsumer<StorageCall, Consumer<Throwable>> answer) {
        routes.add(new Route(method, prefix, parts, operation, new Endpoint.Direct(answer)));
        return this;
    }

    RouteTable streamed(
            HttpMethod method,
            String prefix,
            Parts parts,
            String operation,
            BiConsumer<StorageCall, BodyReader> answer) {
        routes.add(new Route(method, prefix, parts, operation, new Endpoint.Streamed(answer)));
        return this;
    }

    /** All routes, such as {@code GET /bucket/{bucket}}. */
    List<String> calls() {
        return routes.stream()
                .map(route -> route.method().name() + " " + route.prefix() + route.parts().template)
                .toList();
    }

    /**
     * The route of a request.
     *
     * @param path percent-encoded
     * @throws StorageError when there is none, or the path cannot be decoded
     */
    Match find(HttpMethod method, String path) {
        for (Route route : routes) {
            Optional<Match> match = route.method().equals(method) ? match(route, path) : Optional.empty();
            if (match.isPresent()) {
                return match.get();
            }
        }
        for (String planned : PLANNED) {
            if (path.startsWith(planned)) {
                throw StorageError.notBuilt("The path " + planned);
            }
        }
        throw StorageError.noSuchRoute(method.name(), path);
    }

    private static Optional<Match> match(Route route, String path) {
        String bare = path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        if (route.parts() == Parts.NONE) {
            return bare.equals(route.prefix()) ? match(route, "", "") : Optional.empty();
        }
        if (!path.startsWith(route.prefix() + "/")) {
            return Optional.empty();
        }
        String rest = path.substring(route.prefix().length() + 1);
        int slash = rest.indexOf('/');
        String bucket = slash < 0 ? rest : rest.substring(0, slash);
        String object = slash < 0 ? "" : rest.substring(slash + 1);
        if (bucket.isEmpty()) {
            return Optional.empty();
        }
        return switch (route.parts()) {
            case BUCKET, ID -> object.isEmpty() ? match(route, bucket, "") : Optional.empty();
            case BUCKET_TO_EMPTY -> object.equals("empty") ? match(route, bucket, "") : Optional.empty();
            case OBJECT -> object.isEmpty() ? Optional.empty() : match(route, bucket, object);
            case NONE -> Optional.empty();
        };
    }

    private static Optional<Match> match(Route route, String bucket, String object) {
        return Optional.of(new Match(route.endpoint(), route.operation(), decoded(bucket), decoded(object)));
    }

    /** A plus sign is one; anything but UTF-8 without NUL is refused. */
    private static String decoded(String text) {
        if (text.indexOf('%') < 0) {
            return text;
        }
        byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
        ByteBuffer bytes = ByteBuffer.allocate(encoded.length);
        for (int i = 0; i < encoded.length; i++) {
            if (encoded[i] != '%') {
                bytes.put(encoded[i]);
                continue;
            }
            if (i + 2 >= encoded.length
                    || !HexFormat.isHexDigit(encoded[i + 1])
                    || !HexFormat.isHexDigit(encoded[i + 2])) {
                throw StorageError.invalidKey(text);
            }
            bytes.put((byte) (HexFormat.fromHexDigit(encoded[i + 1]) << 4 | HexFormat.fromHexDigit(encoded[i + 2])));
            i += 2;
        }
        try {
            String plain =
                    StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
            if (plain.indexOf('\0') >= 0) {
                throw StorageError.invalidKey(text);
            }
            return plain;
        } catch (CharacterCodingException e) {
            throw StorageError.invalidKey(text);
        }
    }
}
