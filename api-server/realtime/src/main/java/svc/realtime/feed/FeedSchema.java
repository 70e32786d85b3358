package svc.realtime.feed;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import svc.catalog.ProjectSchema;
import svc.catalog.QualifiedIdentifier;
import svc.catalog.SchemaScope;
import svc.catalog.Table;
import svc.platform.tenancy.Tenant;
import svc.postgres.PoolExhausted;
import svc.postgres.SqlError;
import svc.postgres.replication.LogMessage;
import svc.realtime.reader.ChangeBatch;

/**
 * The tables of a project and who may read them, at least as new as the changes that are delivered. Used by its feed's tasks;
 * blocks.
 */
final class FeedSchema {
    private static final int ATTEMPTS = 4;
    private static final long RETRY_MILLIS = 200;

    /** Descriptions that are remembered; forgotten, they cost another look at the schema. */
    private static final int MAX_FRESH = 2_000;

    private final Supplier<Tenant> tenant;
    private final FeedResources resources;

    /** Of the batch at hand, which has those of all its changes: what tenants create and drop must not stay. */
    private final Map<Integer, ChangeBatch.Shape> shapes = new HashMap<>();

    /** The descriptions that the schema is at least as new as. */
    private final Map<Integer, Long> fresh = new HashMap<>();

    private final Map<AccessKey, TableAccess> access = new HashMap<>();
    private String accessVersion = "";

    private record AccessKey(long table, String role) {}

    /** A table as the log describes it, and as the catalog has it. */
    record Described(LogMessage.Relation relation, Table table) {}

    FeedSchema(Supplier<Tenant> tenant, FeedResources resources) {
        this.tenant = tenant;
        this.resources = resources;
    }

    /** The scope of the main schema, whose tables alone can be published. */
    static SchemaScope scope(Tenant tenant) {
        return new SchemaScope(tenant.database(), List.of(tenant.names().schemaName()), List.of());
    }

    /** A batch begins. */
    void begin(ChangeBatch batch) {
        shapes.clear();
        batch.entries().forEach(entry -> {
            if (entry instanceof ChangeBatch.Shape shape) {
                describe(shape);
            }
        });
    }

    /**
     * The schema for a batch: the log describes a table again after each change of its definition, privileges and policies.
     *
     * @throws SqlError when the database cannot be asked
     * @throws PoolExhausted when no connection came free
     */
    ProjectSchema of(ChangeBatch batch) {
        boolean newer =
                batch.entries().stream().anyMatch(entry -> entry instanceof ChangeBatch.Shape shape && isNew(shape));
        ProjectSchema schema = read(newer);
        if (!newer && hasPartitioned(batch, schema)) {
            schema = read(true);
        }
        if (fresh.size() > MAX_FRESH) {
            fresh.clear();
        }
        batch.entries().forEach(entry -> {
            if (entry instanceof ChangeBatch.Shape shape) {
                fresh.put(shape.relation().oid(), shape.seen());
            }
        });
        if (!schema.version().equals(accessVersion)) {
            access.clear();
            accessVersion = schema.version();
        }
        return schema;
    }

    /** The log describes a partition again after its own changes, and not after those of its root, which has the policies. */
    private boolean hasPartitioned(ChangeBatch batch, ProjectSchema schema) {
        return batch.entries().stream()
                .anyMatch(entry -> entry instanceof ChangeBatch.Change change
                        && table(schema, change)
                                .filter(found -> found.table().kind() == Table.Kind.PARTITIONED_TABLE)
                                .isPresent());
    }

    private ProjectSchema read(boolean newest) {
        Tenant project = tenant.get();
        SchemaScope scope = scope(project);
        for (int attempt = 1; ; attempt++) {
            try {
                return newest
                        ? resources.schemas().current(scope, project)
                        : resources.schemas().get(scope, project);
            } catch (SqlError | PoolExhausted e) {
                if (attempt == ATTEMPTS) {
                    throw e;
                }
                pause();
            }
        }
    }

    private static void pause() {
        try {
            Thread.sleep(RETRY_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isNew(ChangeBatch.Shape shape) {
        Long known = fresh.get(shape.relation().oid());
        return known == null || known != shape.seen();
    }

    void describe(ChangeBatch.Shape shape) {
        shapes.put(shape.relation().oid(), shape);
    }

    /**
     * Empty for a table that was dropped or renamed since. What changes in a partition is a change of its root, as which
     * the log has it; applications do not name partitions.
     */
    Optional<Described> table(ProjectSchema schema, ChangeBatch.Change change) {
        ChangeBatch.Shape shape = shapes.get(change.row().relation());
        if (shape == null) {
            return Optional.empty();
        }
        LogMessage.Relation relation = shape.relation();
        return schema.table(new QualifiedIdentifier(relation.schema(), relation.table()))
                .filter(table -> table.oid() == Integer.toUnsignedLong(relation.oid()))
                .map(table -> new Described(relation, table));
    }

    private TableAccess read(Tenant project, Table table, String role) {
        return TableAccess.read(resources.catalog(project), project.database(), table, role);
    }

    /** What a role may see of a table. @throws SqlError when the database cannot be asked */
    TableAccess access(Table table, String role) {
        return access.computeIfAbsent(new AccessKey(table.oid(), role), key -> read(tenant.get(), table, role));
    }
}
