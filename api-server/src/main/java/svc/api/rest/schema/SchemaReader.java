package svc.api.rest.schema;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import svc.api.db.CatalogDatabase;
import svc.api.db.SqlError;
import svc.api.rest.schema.CatalogSnapshot.RelationRow;
import svc.api.rest.schema.CatalogSnapshot.RoutineRow;
import svc.api.rest.schema.CatalogSnapshot.SchemaRow;
import svc.api.rest.schema.CatalogSnapshot.TypeRow;
import svc.api.rest.schema.CatalogSnapshot.VersionRow;
import svc.database.sql.SqlFragment;
import svc.database.sql.SqlTemplate;

/** Reads schemas from the catalog: one statement, one snapshot, in a time that does not know of other tenants. */
public final class SchemaReader {
    private static final ObjectReader JSON = JsonMapper.builder()
            .addModule(new Jdk8Module())
            .addModule(new SimpleModule().addDeserializer(String.class, new TextPool()))
            .build()
            .reader();

    /** What a project has as its version before its first change. */
    private static final String NONE = "";

    /** INSERT, UPDATE and DELETE: what is not so, PostgreSQL says when it is tried. */
    private static final SqlFragment ALL_EVENTS = SqlFragment.of("28");

    private static final String LOCK_NOT_AVAILABLE = "55P03";

    private final CatalogDatabase catalog;
    private final SharedTypes shared = new SharedTypes();
    private final SqlFragment versionAlone;
    private final SqlFragment everything;
    private final SqlFragment everythingUnlocked;

    public SchemaReader(CatalogDatabase catalog) {
        this(catalog, VersionSource.guarded());
    }

    SchemaReader(CatalogDatabase catalog, VersionSource versions) {
        this.catalog = catalog;
        SqlFragment version = versions.expression();
        this.versionAlone = SqlTemplate.of("SELECT :{version} AS version").bind(Map.of("version", version));
        SqlTemplate text = SqlTemplate.resource(SchemaReader.class, "catalog.sql");
        this.everything = text.bind(Map.of(
                "version",
                version,
                "events",
                SqlFragment.of("pg_catalog.pg_relation_is_updatable(c.oid::pg_catalog.regclass, true)")));
        this.everythingUnlocked = text.bind(Map.of("version", version, "events", ALL_EVENTS));
    }

    /** The version in force now: a row by its key for each schema. */
    String version(SchemaScope scope) {
        return catalog.query(
                        scope.database(),
                        versionAlone,
                        row -> row.optional("version", String.class).orElse(NONE),
                        watched(scope))
                .getFirst();
    }

    /**
     * Everything of the scope's schemas, with the version it belongs to. A view that somebody has locked for longer than a
     * moment is taken for writable: whoever locked it is changing it, and the change will make the schema load again.
     */
    ProjectSchema read(SchemaScope scope) {
        try {
            return read(scope, everything);
        } catch (SqlError e) {
            if (!e.sqlState().equals(LOCK_NOT_AVAILABLE)) {
                throw e;
            }
            return read(scope, everythingUnlocked);
        }
    }

    private ProjectSchema read(SchemaScope scope, SqlFragment text) {
        var snapshot = new Sections();
        catalog.query(
                scope.database(),
                text,
                row -> snapshot.add(row.text("section"), row.text("body")),
                scope.exposed(),
                scope.extraSearchPath(),
                watched(scope));
        return SchemaBuilder.build(snapshot.snapshot(), scope.exposed(), shared);
    }

    private static List<String> watched(SchemaScope scope) {
        return Stream.concat(scope.exposed().stream(), scope.extraSearchPath().stream())
                .toList();
    }

    /** Takes rows as they come, so that the text of one is garbage before the next is read. */
    private static final class Sections {
        private final ObjectReader json = JSON.withAttributes(TextPool.attributes());
        private String version = NONE;
        private final List<SchemaRow> schemas = new ArrayList<>();
        private final List<RelationRow> relations = new ArrayList<>();
        private final List<TypeRow> types = new ArrayList<>();
        private final List<RoutineRow> routines = new ArrayList<>();

        boolean add(String section, String body) {
            return switch (section) {
                case "version" -> {
                    version = read(body, VersionRow.class).text().orElse(NONE);
                    yield true;
                }
                case "schema" -> schemas.add(read(body, SchemaRow.class));
                case "relation" -> relations.add(read(body, RelationRow.class));
                case "type" -> types.add(read(body, TypeRow.class));
                case "routine" -> routines.add(read(body, RoutineRow.class));
                default -> throw new IllegalStateException("catalog.sql has no section " + section);
            };
        }

        CatalogSnapshot snapshot() {
            return new CatalogSnapshot(version, schemas, relations, types, routines);
        }

        private <T> T read(String body, Class<T> type) {
            try {
                return json.forType(type).readValue(body);
            } catch (JsonProcessingException e) {
                throw new IllegalStateException("while reading a row of the catalog as " + type.getSimpleName(), e);
            }
        }
    }
}
