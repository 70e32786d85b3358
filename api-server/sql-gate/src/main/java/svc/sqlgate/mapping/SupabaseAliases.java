package svc.sqlgate.mapping;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import svc.database.name.DatabaseRole;
import svc.database.name.FurtherSchema;
import svc.database.name.Layout;
import svc.database.name.ProjectNames;
import svc.database.shared.CatalogViews;
import svc.database.shared.CommonFunctions;
import svc.database.shared.ExtensionSchemas;

/**
 * Maps Supabase's names of schemas and roles, which applications use, to the project's names in the database, and back.
 * Pure.
 *
 * <p>Every other name that a further schema may have stands for one, whether the project has it or not: the server says so
 * of one that does not exist.
 *
 * <p>In a database of the project's own the companions, further schemas and the catalog have these names already: only {@code
 * public}, the roles and what extensions of the project bring differ.
 */
public final class SupabaseAliases {
    private static final CatalogViews VIEWS = CatalogViews.ofSharedDatabase();
    private static final CommonFunctions COMMON = CommonFunctions.ofSharedDatabase();

    private static final ExtensionSchemas SHARED = ExtensionSchemas.ofSharedDatabase();
    private static final ExtensionSchemas DEDICATED = ExtensionSchemas.ofDedicatedDatabase();

    /** The one relation of an extension that scripts read, and that is the platform's here. */
    private static final String STATISTICS = "pg_stat_statements";

    private static final String JOINERS = "\u200C\u200D";

    private final Map<String, String> schemas = new LinkedHashMap<>();
    private final Map<String, String> roles = new LinkedHashMap<>();
    private final Map<String, String> aliases = new HashMap<>();
    private final boolean filteredCatalog;
    private final Optional<ProjectNames> further;
    private final OwnFunctions own;
    private final ExtensionSchemas extensions;

    private SupabaseAliases(ProjectNames names, OwnFunctions own) {
        this.own = own;
        this.extensions = names.layout() == Layout.SHARED ? SHARED : DEDICATED;
        this.further = Optional.of(names).filter(any -> names.layout() == Layout.SHARED);
        this.filteredCatalog = names.layout() == Layout.SHARED;
        schemas.put("public", names.schemaName());
        if (names.layout() == Layout.SHARED) {
            schemas.put("auth", names.auth().name());
            schemas.put("storage", names.storage().name());
            schemas.put("realtime", names.realtime().name());
        }
        role(names, "anon", DatabaseRole.ANON);
        role(names, "authenticated", DatabaseRole.AUTHENTICATED);
        role(names, "service_role", DatabaseRole.SERVICE);
        role(names, "authenticator", DatabaseRole.API);
        role(names, "postgres", DatabaseRole.OWNER);
        role(names, "supabase_auth_admin", DatabaseRole.SYSTEM);
        role(names, "supabase_storage_admin", DatabaseRole.SYSTEM);
        schemas.forEach((name, real) -> aliases.put(real, name));
        roles.forEach((name, real) -> aliases.putIfAbsent(real, name));
        if (filteredCatalog) {
            aliases.put(CatalogViews.SCHEMA, "pg_catalog");
            aliases.put(CatalogViews.INFORMATION_SCHEMA, "information_schema");
            COMMON.names()
                    .keySet()
                    .forEach(companion -> COMMON.schema(companion).ifPresent(schema -> aliases.put(schema, companion)));
        }
        extensions.schemas().forEach(schema -> aliases.put(schema, schema.substring("svc_".length())));
    }

    private SupabaseAliases() {
        this.own = OwnFunctions.NONE;
        this.extensions = new ExtensionSchemas(Map.of());
        this.further = Optional.empty();
        this.filteredCatalog = false;
    }

    /** Of an adopted database, where every name is what it says. */
    public static SupabaseAliases none() {
        return new SupabaseAliases();
    }

    /** Of a project none of whose functions is called like an extension's. */
    public static SupabaseAliases of(ProjectNames names) {
        return of(names, OwnFunctions.NONE);
    }

    /** @param own functions of the project whose names are an extension's too */
    public static SupabaseAliases of(ProjectNames names, OwnFunctions own) {
        return new SupabaseAliases(names, own);
    }

    private void role(ProjectNames names, String name, DatabaseRole role) {
        roles.put(name, names.role(role).name());
    }

    /** The project's schema for a name that stands where a schema's does; empty for one that stays as it is. */
    public Optional<String> schema(String name) {
        return extensions
                .schema(name)
                .or(() -> isFurther(name) ? further.map(names -> further(names, name)) : ofEveryProject(name));
    }

    /** The same for a name that may be that of something else, unless every project has a schema of that name. */
    Optional<String> ofEveryProject(String name) {
        return Optional.ofNullable(schemas.get(name));
    }

    /** Whether a name stands for a schema that a project may have beside its main one. */
    boolean isFurther(String name) {
        return further.isPresent() && FurtherSchema.isName(name);
    }

    /** Whether a name stands for a schema, and may as well be that of a table, an alias or a block. */
    boolean isOfSomething(String name) {
        return isFurther(name) || extensions.schema(name).isPresent();
    }

    /** The same in any database of the platform's making. */
    boolean isOfOwner(String name) {
        return !schemas.isEmpty() && FurtherSchema.isName(name);
    }

    private static String further(ProjectNames names, String alias) {
        return names.further(new FurtherSchema(alias)).name();
    }

    /** The project's role for an alias; empty for any other name. */
    public Optional<String> role(String name) {
        return Optional.ofNullable(roles.get(name));
    }

    /** Where a relation with this qualifier stands; empty when it stands there already. */
    Optional<String> schemaOfRelation(String schema, String relation) {
        if (filteredCatalog && "pg_catalog".equals(schema) && VIEWS.relations().contains(relation)) {
            return Optional.of(CatalogViews.SCHEMA);
        }
        if (filteredCatalog
                && "information_schema".equals(schema)
                && VIEWS.informationSchema().contains(relation)) {
            return Optional.of(CatalogViews.INFORMATION_SCHEMA);
        }
        if (filteredCatalog
                && STATISTICS.equals(relation)
                && Set.of("extensions", "public").contains(schema)) {
            return Optional.of(CatalogViews.SCHEMA);
        }
        return extensions.schema(schema, relation).or(() -> schema(schema));
    }

    /** Where a type with this qualifier stands; empty when it stands there already. */
    Optional<String> schemaOfType(String schema, String type) {
        return filteredCatalog && ExtensionMembers.isType(schema, type)
                ? Optional.of(ExtensionMembers.SCHEMA)
                : extensions.schema(schema, type).or(() -> schema(schema));
    }

    /** Where an operator class with this qualifier stands; empty when it stands there already. */
    Optional<String> schemaOfOperatorClass(String schema, String operatorClass) {
        return filteredCatalog && ExtensionMembers.isOperatorClass(schema, operatorClass)
                ? Optional.of(ExtensionMembers.SCHEMA)
                : schema(schema);
    }

    /** Where a function stands that is called with this qualifier; empty when it stands there already. */
    Optional<String> schemaOfCalled(String schema, String function) {
        return filteredCatalog && ExtensionMembers.isFunction(schema, function) && !own.contains(function)
                ? Optional.of(ExtensionMembers.SCHEMA)
                : schemaOfFunction(schema, function);
    }

    /** Where a function with this qualifier stands; empty when it stands there already. */
    Optional<String> schemaOfFunction(String schema, String function) {
        return filteredCatalog
                        && ("pg_catalog".equals(schema) || "information_schema".equals(schema))
                        && VIEWS.functions().contains(function)
                ? Optional.of(CatalogViews.SCHEMA)
                : schemaOfObject(schema, function);
    }

    /** Where an object of any kind stands that is named by this qualifier; empty when it stands there already. */
    Optional<String> schemaOfObject(String schema, String object) {
        Optional<String> common = filteredCatalog
                ? COMMON.schema(schemas.containsKey(schema) ? schema : aliases.getOrDefault(schema, schema), object)
                : Optional.empty();
        return common.or(() -> extensions.schema(schema, object)).or(() -> schema(schema));
    }

    /** The schema of the functions that all projects have in common, for the alias of a companion. */
    Optional<String> commonSchema(String schema) {
        return filteredCatalog ? COMMON.schema(schema) : Optional.empty();
    }

    /** Whether tenants read filtered views instead of the catalog. */
    boolean filteredCatalog() {
        return filteredCatalog;
    }

    /** Whether a name without a qualifier is that of a relation of {@code pg_catalog} which projects read as a view. */
    static boolean isCatalogRelation(String relation) {
        return relation.startsWith("pg_") && VIEWS.relations().contains(relation);
    }

    /** A message of the server with the names that the caller uses. */
    public String toAliases(String message) {
        var text = new StringBuilder(message.length());
        int copied = 0;
        for (int at = 0; at < message.length(); ) {
            int end = endOfName(message, at);
            if (end > at) {
                // A whole name only: proj_x is not part of proj_x_auth.
                text.append(message, copied, at).append(toAlias(message.substring(at, end)));
                copied = end;
            }
            at = end > at ? end : at + Character.charCount(message.codePointAt(at));
        }
        return text.append(message, copied, message.length()).toString();
    }

    private static int endOfName(String message, int from) {
        int at = from;
        while (at < message.length() && isPartOfName(message.codePointAt(at))) {
            at += Character.charCount(message.codePointAt(at));
        }
        return at;
    }

    /** Word characters of any script, by Unicode's UTS #18, and the dollar, which PostgreSQL allows within names. */
    private static boolean isPartOfName(int character) {
        return character == '$'
                || Character.isAlphabetic(character)
                || JOINERS.indexOf(character) >= 0
                || switch (Character.getType(character)) {
                    case Character.NON_SPACING_MARK,
                            Character.ENCLOSING_MARK,
                            Character.COMBINING_SPACING_MARK,
                            Character.DECIMAL_DIGIT_NUMBER,
                            Character.CONNECTOR_PUNCTUATION -> true;
                    default -> false;
                };
    }

    private String toAlias(String name) {
        String alias = aliases.get(name);
        return alias != null
                ? alias
                : further.flatMap(names -> names.furtherOf(name))
                        .map(FurtherSchema::alias)
                        .orElse(name);
    }
}
