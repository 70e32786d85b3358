package svc.catalog;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import svc.catalog.CatalogSnapshot.RelationRow;
import svc.catalog.CatalogSnapshot.RoleRow;
import svc.catalog.CatalogSnapshot.RoutineRow;
import svc.catalog.CatalogSnapshot.SchemaRow;
import svc.catalog.CatalogSnapshot.TypeRow;
import svc.catalog.CatalogSnapshot.VersionRow;
import svc.database.sql.SqlFragment;
import svc.database.sql.SqlTemplate;
import svc.postgres.SqlError;
import svc.postgres.jdbc.CatalogReader;

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

    private final CatalogReader catalog;
    private final Texts texts;

    public SchemaReader(CatalogReader catalog) {
        this(catalog, Texts.of(CatalogText.guarded()));
    }

    private SchemaReader(CatalogReader catalog, Texts texts) {
        this.catalog = catalog;
        this.texts = texts;
    }

    /** What is asked, and what all who ask it share. */
    record Texts(SqlFragment versionAlone, SqlFragment everything, SqlFragment everythingUnlocked, SharedTypes shared) {
        static Texts of(CatalogText own) {
            SqlFragment version = own.version();
            SqlTemplate text = SqlTemplate.resource(SchemaReader.class, "catalog.sql");
            SqlFragment updatable =
                    SqlFragment.of("pg_catalog.pg_relation_is_updatable(c.oid::pg_catalog.regclass, true)");
            return new Texts(
                    SqlTemplate.of("SELECT :{version} AS version").bind(Map.of("version", version)),
                    text.bind(Map.of("version", version, "events", updatable, "roles", own.roles())),
                    text.bind(Map.of("version", version, "events", ALL_EVENTS, "roles", own.roles())),
                    new SharedTypes());
        }

        SchemaReader reader(CatalogReader catalog) {
            return new SchemaReader(catalog, this);
        }
    }

    /** The version in force now: a row by its key for each schema. */
    String version(SchemaScope scope) {
        return catalog.query(
                        scope.database(),
                        texts.versionAlone(),
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
            return read(scope, texts.everything());
        } catch (SqlError e) {
            if (!e.sqlState().equals(LOCK_NOT_AVAILABLE)) {
                throw e;
            }
            return read(scope, texts.everythingUnlocked());
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
        return SchemaBuilder.build(snapshot.snapshot(), scope.exposed(), texts.shared());
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
        private final List<RoleRow> roles = new ArrayList<>();

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
                case "role" -> roles.add(read(body, RoleRow.class));
                default -> throw new IllegalStateException("catalog.sql has no section " + section);
            };
        }

        CatalogSnapshot snapshot() {
            return new CatalogSnapshot(version, schemas, relations, types, routines, roles);
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
