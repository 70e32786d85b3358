package svc.rest.plan;

import java.util.List;
import java.util.Optional;
import svc.catalog.DataType;
import svc.catalog.MediaHandler;
import svc.catalog.QualifiedIdentifier;
import svc.catalog.Routine;
import svc.rest.error.RestError;
import svc.rest.plan.Rendering.Format;
import svc.rest.request.Accept;
import svc.rest.request.MediaType;
import svc.rest.request.SelectItem;

/**
 * Selects the first accepted media type that the resource can produce. Media type handlers of the project take precedence
 * over built-in formats, except for PostgREST's vendor types.
 */
final class MediaNegotiation {
    private static final String ANY = "*/*";

    private final List<MediaHandler> handlers;
    private final boolean plans;

    /** @param plans whether execution plans are enabled */
    MediaNegotiation(List<MediaHandler> handlers, boolean plans) {
        this.handlers = handlers;
        this.plans = plans;
    }

    /** For rows of a relation, or of a function that returns such rows. */
    Rendering ofRows(Accept accept, QualifiedIdentifier relation, List<SelectItem> select) {
        // A handler of the relation accepts whole rows only.
        boolean whole = select.equals(List.of(new SelectItem.All()));
        return first(accept, type -> rows(type, relation, whole));
    }

    /** For the value or values of a scalar function. */
    Rendering ofValues(Accept accept, Routine routine) {
        return first(accept, type -> value(type, routine).or(() -> rows(type, routine.id(), false)));
    }

    @FunctionalInterface
    private interface Offer {
        Optional<Rendering> of(MediaType type);
    }

    private Rendering first(Accept accept, Offer offer) {
        return accept.types().stream()
                .map(type -> type instanceof MediaType.ExecutionPlan plan ? plan(plan, offer) : offer.of(type))
                .flatMap(Optional::stream)
                .findFirst()
                .orElseThrow(() -> RestError.mediaTypeNotAvailable(accept.header()));
    }

    private Optional<Rendering> plan(MediaType.ExecutionPlan plan, Offer offer) {
        return plans ? offer.of(plan.of()).map(of -> new Rendering(plan, of.format())) : Optional.empty();
    }

    private Optional<Rendering> rows(MediaType type, QualifiedIdentifier relation, boolean whole) {
        return switch (type) {
            case MediaType.SingleObject one ->
                Optional.of(new Rendering(one, new Format.SingleObject(one.nullsStripped())));
            case MediaType.StrippedArray array -> Optional.of(new Rendering(array, new Format.Json(true)));
            case MediaType.ExecutionPlan unused -> Optional.empty();
            default -> handler(type, relation, whole).or(() -> builtIn(type));
        };
    }

    private static Optional<Rendering> builtIn(MediaType type) {
        return switch (type) {
            case MediaType.Json unused -> Optional.of(new Rendering(MediaType.JSON, new Format.Json(false)));
            case MediaType.Any unused -> Optional.of(new Rendering(MediaType.JSON, new Format.Json(false)));
            case MediaType.Csv csv -> Optional.of(new Rendering(csv, new Format.Csv()));
            case MediaType.GeoJson geo -> Optional.of(new Rendering(geo, new Format.GeoJson()));
            default -> Optional.empty();
        };
    }

    /**
     * In this order: the relation's handler for any type, the relation's for this type, a handler of any relation for this
     * type.
     */
    private Optional<Rendering> handler(MediaType type, QualifiedIdentifier relation, boolean whole) {
        Optional<MediaHandler> own =
                whole ? ofRelation(ANY, relation).or(() -> ofRelation(type.name(), relation)) : Optional.empty();
        return own.or(() -> handlers.stream()
                        .filter(handler -> handler.relation().isEmpty()
                                && handler.mediaType().equals(type.name()))
                        .findFirst())
                .map(handler -> new Rendering(
                        named(handler.mediaType(), type),
                        new Format.Handler(
                                handler.function(),
                                handler.type().isBuiltin("bytea"),
                                handler.relation().isPresent())));
    }

    private Optional<MediaHandler> ofRelation(String mediaType, QualifiedIdentifier relation) {
        return handlers.stream()
                .filter(handler -> handler.relation().equals(Optional.of(relation))
                        && handler.mediaType().equals(mediaType))
                .findFirst();
    }

    /** A handler for any type sets Content-Type in response.headers; the default is octet-stream. */
    private static MediaType named(String handled, MediaType asked) {
        return handled.equals(ANY) ? new MediaType.Other("application/octet-stream") : asked;
    }

    /** A set has no raw form: its values would be joined to one. */
    private static Optional<Rendering> value(MediaType type, Routine routine) {
        DataType returned = routine.returns().type();
        boolean overridable = !(type instanceof MediaType.SingleObject || type instanceof MediaType.StrippedArray);
        if (routine.returns().shape() != Routine.Shape.SCALAR
                || routine.returns().setOf()
                || !overridable) {
            return Optional.empty();
        }
        boolean binary = returned.isBuiltin("bytea");
        if (isDomain(returned, ANY)) {
            return Optional.of(new Rendering(named(ANY, type), new Format.Value(binary)));
        }
        boolean raw = isDomain(returned, type.name())
                || switch (type.name()) {
                    case "text/plain" -> !binary;
                    case "text/xml" -> returned.isBuiltin("xml");
                    case "application/octet-stream" -> binary;
                    default -> false;
                };
        return raw ? Optional.of(new Rendering(type, new Format.Value(binary))) : Optional.empty();
    }

    /** Whether a type is a domain with the name of a media type. */
    private static boolean isDomain(DataType type, String mediaType) {
        return type.form() == DataType.Form.DOMAIN && type.name().equalsIgnoreCase(mediaType);
    }
}
