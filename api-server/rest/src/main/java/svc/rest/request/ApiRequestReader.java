package svc.rest.request;

import io.vertx.core.MultiMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import svc.rest.error.RestError;
import svc.rest.request.ApiRequest.Action;
import svc.rest.request.ApiRequest.Resource;

/** Parses an HTTP request into an {@link ApiRequest}. Pure. */
public final class ApiRequestReader {
    private ApiRequestReader() {}

    /**
     * Parses a request.
     *
     * @param path the path after the service's prefix, percent-encoded, with a leading slash
     * @param query without the question mark
     * @throws RestError with PostgREST's code for an invalid request
     */
    public static ApiRequest read(String method, String path, String query, MultiMap headers, byte[] body) {
        Resource resource = resource(path);
        Action action = action(method, resource);
        QueryParameters parameters = QueryParameters.of(QueryString.ofAddress(query), action);
        return new ApiRequest(
                resource,
                action,
                method.equals("HEAD"),
                Optional.ofNullable(headers.get(
                        action == Action.READ || action == Action.CALL_READ ? "Accept-Profile" : "Content-Profile")),
                ranged(ReadRequestReader.read(parameters), method, headers),
                parameters.first(ParameterRole.COLUMNS).map(text -> names("columns parameter", text)),
                parameters.first(ParameterRole.ON_CONFLICT).map(text -> names("on_conflict parameter", text)),
                Preferences.read(headers.getAll("Prefer")),
                Accept.read(Optional.ofNullable(headers.get("Accept"))),
                resource instanceof Resource.Root ? Optional.empty() : payload(action, headers, body),
                arguments(action, parameters, headers, body),
                parameters.canonical(),
                parameters.ambiguousNames());
    }

    private static Resource resource(String path) {
        String[] segments = path.substring(1).split("/", -1);
        if (segments.length == 1) {
            String name = QueryString.decode(segments[0], false);
            return name.isEmpty() ? new Resource.Root() : new Resource.Relation(name);
        }
        if (segments.length == 2 && segments[0].equals("rpc")) {
            return new Resource.Routine(QueryString.decode(segments[1], false));
        }
        throw RestError.invalidPath();
    }

    private static Action action(String method, Resource resource) {
        if (resource instanceof Resource.Routine) {
            return switch (method) {
                case "GET", "HEAD" -> Action.CALL_READ;
                case "POST" -> Action.CALL;
                case "OPTIONS" -> Action.INFO;
                default -> throw RestError.rpcMethodNotAllowed(method);
            };
        }
        return switch (method) {
            case "GET", "HEAD" -> Action.READ;
            case "POST" -> Action.INSERT;
            case "PATCH" -> Action.UPDATE;
            case "PUT" -> Action.UPSERT;
            case "DELETE" -> Action.DELETE;
            case "OPTIONS" -> Action.INFO;
            default -> throw RestError.unsupportedMethod(method);
        };
    }

    /** RFC 9110: the Range header applies to GET only. */
    private static ReadRequest ranged(ReadRequest read, String method, MultiMap headers) {
        if (!method.equals("GET")) {
            return read;
        }
        RowRange range = read.rows().range().within(Optional.ofNullable(headers.get("Range")));
        return new ReadRequest(read.select(), read.rows().withRange(range), read.embedded());
    }

    private static List<String> names(String what, String text) {
        var cursor = new Cursor(what, text);
        List<String> names = new ArrayList<>();
        do {
            cursor.skipSpaces();
            names.add(cursor.name());
            cursor.skipSpaces();
        } while (cursor.take(","));
        cursor.requireEnd();
        return List.copyOf(names);
    }

    private static Optional<Payload> payload(Action action, MultiMap headers, byte[] body) {
        if (action != Action.INSERT && action != Action.UPDATE && action != Action.UPSERT) {
            return Optional.empty();
        }
        String type = contentType(headers);
        return Optional.of(
                switch (type) {
                    case "application/json", "" -> Payload.read(body);
                    case "text/csv" -> Payload.csv(body);
                    case "application/x-www-form-urlencoded" -> Payload.form(body);
                    default -> throw RestError.invalidBody("Content-Type not acceptable: " + type);
                });
    }

    private static Optional<Arguments> arguments(Action action, QueryParameters given, MultiMap headers, byte[] body) {
        return switch (action) {
            case CALL_READ -> Optional.of(Arguments.ofQuery(given.arguments()));
            case CALL -> Optional.of(Arguments.ofBody(contentType(headers), body));
            default -> Optional.empty();
        };
    }

    /** In lower case, without parameters; the default is JSON. */
    private static String contentType(MultiMap headers) {
        String given = headers.get("Content-Type");
        return given == null
                ? "application/json"
                : given.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    }
}
