package svc.database.shared;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The filtered views that replace the server's catalog for tenants: names of {@code pg_catalog} and {@code information_schema} that stand
 * under the same name in {@link #SCHEMA} and {@link #INFORMATION_SCHEMA}, filtered to the session's own project.
 *
 * @param relations of {@code svc_views}
 * @param functions of {@code svc_views}, without their arguments
 * @param informationSchema relations of {@code svc_information_schema}
 */
public record CatalogViews(Set<String> relations, Set<String> functions, Set<String> informationSchema) {
    public static final String SCHEMA = "svc_views";
    public static final String INFORMATION_SCHEMA = "svc_information_schema";

    public CatalogViews {
        relations = Set.copyOf(relations);
        functions = Set.copyOf(functions);
        informationSchema = Set.copyOf(informationSchema);
    }

    /** The views that the hardening of a shared database creates. */
    public static CatalogViews ofSharedDatabase() {
        SharedResources resources = SharedResources.load();
        return new CatalogViews(
                Stream.concat(
                                scripted(resources, "view", SCHEMA),
                                members(resources.derivedViews().stream(), "pg_catalog"))
                        .collect(Collectors.toSet()),
                scripted(resources, "function", SCHEMA)
                        .map(signature -> signature.substring(0, signature.indexOf('(')))
                        .collect(Collectors.toSet()),
                Stream.concat(
                                scripted(resources, "view", INFORMATION_SCHEMA),
                                members(resources.derivedViews().stream(), "information_schema"))
                        .collect(Collectors.toSet()));
    }

    private static Stream<String> scripted(SharedResources resources, String kind, String schema) {
        return members(
                resources.objects().stream()
                        .filter(object -> object.kind().equals(kind))
                        .map(ScriptedObject::identity),
                schema);
    }

    private static Stream<String> members(Stream<String> identities, String schema) {
        return identities
                .filter(identity -> identity.startsWith(schema + "."))
                .map(identity -> identity.substring(schema.length() + 1));
    }
}
