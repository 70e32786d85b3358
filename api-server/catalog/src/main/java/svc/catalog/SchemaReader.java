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

/** Reads schemas from the catalog: one statement, one snapshot, at a cost independent of other tenants. */
public final class SchemaReader {
    private static final ObjectReader JSON = JsonMapper.builder()
            .addModule(new Jdk8Module())
            .addModule(new SimpleModule().addDeserializer(String.class, new StringInterner()))
            .build()
            .reader();

    /** The version before the first change. */
    private static final String NONE = "";

    /** INSERT, UPDATE and DELETE; PostgreSQL refuses what the relation does not support. */
    private static final SqlFragment ALL_EVENTS = SqlFragment.of("28");

    private static final String LOCK_NOT_AVAILABLE = "55P03";

    private final CatalogReader catalog;
    private final Statements statements;

    public SchemaReader(CatalogReader catalog) {
        this(catalog, Statements.of(CatalogSql.guarded()));
    }

    private SchemaReader(CatalogReader catalog, Statements statements) {
        this.catalog = catalog;
        this.statements = statements;
    }

    /** The statements of a kind of database, and the types that all its schemas share. */
    record Statements(SqlFragment versionOnly, SqlFragment snapshot, SqlFragment snapshotUnlocked, SharedTypes shared) {
        static Statements of(CatalogSql own) {
            SqlFragment version = own.version();
            SqlTemplate text = SqlTemplate.resource(SchemaReader.class, "catalog.sql");
            SqlFragment updatable =
                    SqlFragment.of("pg_catalog.pg_relation_is_updatable(c.oid::pg_catalog.regclass, true)");
            return new Statements(
                    SqlTemplate.of("SELECT :{version} AS version").bind(Map.of("version", version)),
                    text.bind(Map.of("version", version, "events", updatable, "roles", own.roles())),
                    text.bind(Map.of("version", version, "events", ALL_EVENTS, "roles", own.roles())),
                    new SharedTypes());
        }

        SchemaReader reader(CatalogReader catalog) {
            return new SchemaReader(catalog, this);
        }
    }

    /** The current version: one row by its key for each schema. */
    String version(SchemaScope scope) {
        return catalog.query(
                        scope.database(),
                        statements.versionOnly(),
                        row -> row.optional("version", String.class).orElse(NONE),
                        schemaNames(scope))
                .getFirst();
    }

    /**
     * Reads the scope's schemas with their version. A view that stays locked counts as writable: the transaction that holds
     * the lock is changing it, and the change invalidates the schema.
     */
    ProjectSchema read(SchemaScope scope) {
        try {
            return read(scope, statements.snapshot());
        } catch (SqlError e) {
            if (!e.sqlState().equals(LOCK_NOT_AVAILABLE)) {
                throw e;
            }
            return read(scope, statements.snapshotUnlocked());
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
                schemaNames(scope));
        return SchemaBuilder.build(snapshot.snapshot(), scope.exposed(), statements.shared());
    }

    private static List<String> schemaNames(SchemaScope scope) {
        return Stream.concat(scope.exposed().stream(), scope.extraSearchPath().stream())
                .toList();
    }

    /** Parses each row as it arrives, so that only one row's text is in memory. */
    private static final class Sections {
        private final ObjectReader json = JSON.withAttributes(StringInterner.attributes());
        private final TextBudget texts = new TextBudget();
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
                case "relation" -> relations.add(texts.within(read(body, RelationRow.class)));
                case "type" -> types.add(texts.within(read(body, TypeRow.class)));
                case "routine" -> routines.add(texts.within(read(body, RoutineRow.class)));
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
