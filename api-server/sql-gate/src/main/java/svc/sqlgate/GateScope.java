package svc.sqlgate;

import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import svc.database.name.DatabaseRole;
import svc.database.name.FurtherSchema;
import svc.database.name.Layout;
import svc.database.name.ProjectNames;
import svc.database.shared.ExtensionSchemas;
import svc.database.sql.Identifier;
import svc.sqlgate.translation.StandIns;

/**
 * The names that one project's SQL may use, after Supabase's names were mapped; any other is refused. In an adopted
 * database all schemas and roles are the tenant's own and PostgreSQL decides what its owner may do; only catalogs stay
 * read-only.
 */
final class GateScope {
    /** Readable by all projects, writable by none. */
    private static final Set<String> PLATFORM_SCHEMAS = Set.of(
            "pg_catalog",
            "information_schema",
            "extensions",
            "svc_views",
            "svc_information_schema",
            "svc_auth",
            "svc_storage",
            "svc_realtime");

    /** What extensions of a project bring. Their views may be written, as far as the server lets a project. */
    private static final Set<String> EXTENSIONS =
            ExtensionSchemas.ofSharedDatabase().schemas();

    /** The temporary tables of the script's own session. */
    private static final String TEMPORARY = "pg_temp";

    /** Empty for an adopted database. */
    private final Optional<ProjectNames> project;

    private final String schema;
    private final boolean adopted;
    private final Optional<String> authSchema;
    private final Set<String> schemas = new HashSet<>();
    private final Set<String> roles = new HashSet<>();
    /** What SET ROLE may name. */
    private final Set<String> takable;
    /** Tables whose rows belong to a service, and through what they are changed. */
    private final Map<String, String> serviceRows;

    private GateScope() {
        this.project = Optional.empty();
        this.schema = "public";
        this.adopted = true;
        this.authSchema = Optional.empty();
        this.serviceRows = Map.of();
        this.takable = Set.of();
    }

    /** A database that was there before its project. */
    static GateScope adopted() {
        return new GateScope();
    }

    GateScope(ProjectNames names) {
        this.project = Optional.of(names);
        this.schema = names.schemaName();
        this.adopted = false;
        this.authSchema = Optional.of(names.auth().name()).filter(name -> names.layout() == Layout.SHARED);
        schemas.add(schema);
        names.companions().stream().map(Identifier::name).forEach(schemas::add);
        schemas.addAll(PLATFORM_SCHEMAS);
        schemas.addAll(EXTENSIONS);
        schemas.add(TEMPORARY);
        serviceRows = Map.of(
                names.storage().name() + ".objects",
                "Files are put, moved and deleted through /storage/v1; buckets may be written here.",
                names.realtime().name() + ".messages",
                "Messages are sent through /realtime/v1.");
        for (DatabaseRole role : DatabaseRole.values()) {
            roles.add(names.role(role).name());
        }
        takable = Set.of(
                "none",
                names.role(DatabaseRole.OWNER).name(),
                names.role(DatabaseRole.ANON).name(),
                names.role(DatabaseRole.AUTHENTICATED).name());
    }

    /** Of the auth service, where its tables come with their first use; empty where they are there from the beginning. */
    Optional<String> authSchema() {
        return authSchema;
    }

    Optional<Finding> schema(String name) {
        return adopted || schemas.contains(name) || isFurther(name)
                ? Optional.empty()
                : Optional.of(Finding.object(
                        "the schema " + name,
                        StandIns.ofSchema(name)
                                .orElseGet(() -> "It is no schema of the project. Its main schema is " + schema
                                        + ", and CREATE SCHEMA makes others, with a name of 1 to "
                                        + FurtherSchema.MAX_LENGTH + " characters: a to z, digits and underscores.")));
    }

    private boolean isFurther(String name) {
        return project.flatMap(names -> names.furtherOf(name)).isPresent();
    }

    /** For a schema in which unqualified names are looked up; dumps write an empty one. The services' are named in full. */
    Optional<Finding> searchedSchema(String name) {
        return name.isEmpty() || name.equals("$user") || isOwn(name) || isPlatforms(name)
                ? Optional.empty()
                : Optional.of(Finding.object(
                        "the schema " + name + " in a search path",
                        "It may name public, schemas of the project's own, and extensions."));
    }

    /** For an object that is created or changed. */
    Optional<Finding> writableSchema(String name) {
        boolean catalog = adopted ? isCatalog(name) : isPlatforms(name);
        return catalog
                ? Optional.of(Finding.object(
                        "a change in the schema " + name,
                        "Catalogs and platform schemas are read-only. Create objects in the project's own schema."))
                : schema(name);
    }

    private static boolean isPlatforms(String name) {
        return PLATFORM_SCHEMAS.contains(name) || EXTENSIONS.contains(name);
    }

    private static boolean isCatalog(String name) {
        return name.startsWith("pg_") && !name.equals(TEMPORARY) || name.equals("information_schema");
    }

    /**
     * For rows that are written. PostgreSQL would refuse the same, without saying who may.
     *
     * @param name a schema's
     */
    Optional<Finding> writableRows(String name, String relation) {
        String hint = serviceRows.get(name + "." + relation);
        if (hint == null) {
            return EXTENSIONS.contains(name) ? schema(name) : writableSchema(name);
        }
        return Optional.of(Finding.object("a change of rows of " + name + "." + relation, hint));
    }

    /** For an object that moves to another schema. */
    boolean isOwn(String name) {
        return adopted ? writableSchema(name).isEmpty() : name.equals(schema) || isFurther(name);
    }

    Optional<Finding> role(String name) {
        return adopted || roles.contains(name)
                ? Optional.empty()
                : Optional.of(Finding.object(
                        "the role " + name, "A project's roles are anon, authenticated and service_role."));
    }

    /** For the role that a script takes; {@code none} is the one that it has. */
    Optional<Finding> taken(String name) {
        return adopted || takable.contains(name)
                ? Optional.empty()
                : Optional.of(Finding.statement(
                        "SET ROLE " + name,
                        "A script runs as the project's owner. To try policies it may take the roles anon and"
                                + " authenticated; service_role is for the API's key."));
    }

    /** For a role's name that is not in the text: no name in it can be replaced. */
    Optional<Finding> computedRole(Finding finding) {
        return adopted ? Optional.empty() : Optional.of(finding);
    }
}
