package svc.sqlgate.translation;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import svc.database.name.DatabaseRole;
import svc.database.name.FurtherSchema;
import svc.database.name.ProjectNames;
import svc.database.shared.ExtensionSchemas;

/** The names of one project, as the database has them and as applications write them. */
final class ProjectScope {
    private static final Set<String> EXTENSIONS =
            ExtensionSchemas.ofSharedDatabase().schemas();

    private static final Map<String, DatabaseRole> ALIASES = Map.of(
            "anon", DatabaseRole.ANON,
            "authenticated", DatabaseRole.AUTHENTICATED,
            "service_role", DatabaseRole.SERVICE,
            "authenticator", DatabaseRole.API,
            "postgres", DatabaseRole.OWNER,
            "supabase_auth_admin", DatabaseRole.SYSTEM,
            "supabase_storage_admin", DatabaseRole.SYSTEM);

    private final ProjectNames names;

    ProjectScope(ProjectNames names) {
        this.names = names;
    }

    boolean isOwnSchema(String name) {
        return name.equals("public") || name.equals(names.schemaName());
    }

    boolean isAuth(String name) {
        return name.equals("auth") || name.equals(names.auth().name());
    }

    boolean isStorage(String name) {
        return name.equals("storage") || name.equals(names.storage().name());
    }

    boolean isRealtime(String name) {
        return name.equals("realtime") || name.equals(names.realtime().name());
    }

    /** What applications call a further schema; empty for a name that none can have. */
    Optional<String> further(String name) {
        return names.furtherOf(name).map(FurtherSchema::alias);
    }

    /** A schema that every project has from its beginning, or that the platform has for all. */
    boolean isThere(String name) {
        return isOwnSchema(name)
                || isAuth(name)
                || isStorage(name)
                || isRealtime(name)
                || EXTENSIONS.contains(name)
                || Set.of("extensions", "graphql_public").contains(name);
    }

    /** The role in the database; {@code public} for all. Empty for a role that is not the project's. */
    Optional<String> role(JsonNode roleSpec) {
        return switch (roleSpec.path("roletype").asText()) {
            case "ROLESPEC_PUBLIC" -> Optional.of("public");
            case "ROLESPEC_CSTRING" -> named(roleSpec.path("rolename").asText());
            default -> Optional.of(names.role(DatabaseRole.OWNER).name());
        };
    }

    boolean isOwner(JsonNode roleSpec) {
        return role(roleSpec)
                .filter(names.role(DatabaseRole.OWNER).name()::equals)
                .isPresent();
    }

    private Optional<String> named(String name) {
        for (DatabaseRole role : DatabaseRole.values()) {
            if (names.role(role).name().equals(name)) {
                return Optional.of(name);
            }
        }
        return Optional.ofNullable(ALIASES.get(name))
                .map(role -> names.role(role).name());
    }
}
