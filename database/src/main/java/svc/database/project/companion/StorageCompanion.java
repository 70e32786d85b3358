package svc.database.project.companion;

import static svc.database.name.DatabaseRole.ANON;
import static svc.database.name.DatabaseRole.AUTHENTICATED;
import static svc.database.name.DatabaseRole.SERVICE;
import static svc.database.name.DatabaseRole.SYSTEM;
import static svc.database.project.companion.Privilege.DELETE;
import static svc.database.project.companion.Privilege.INSERT;
import static svc.database.project.companion.Privilege.SELECT;
import static svc.database.project.companion.Privilege.UPDATE;

import java.util.List;
import java.util.Set;
import svc.database.project.companion.TablePart.Constraint;
import svc.database.project.companion.TablePart.Index;
import svc.database.project.companion.TablePart.Trigger;

/**
 * The tables of the storage service, completed when a project first uses it: Supabase's names.
 *
 * <p>Callers may change rows of objects as far as policies allow, because a policy is judged only by a statement of the
 * caller's own role. The owner of a project may not: rows that it added would have no file, and files whose rows it deleted
 * would stay until they are swept.
 *
 * <p>Hazard: no foreign key here may cascade. What a cascade changes is changed with the rights of the table's owner, and so
 * are tenants' triggers on it.
 */
final class StorageCompanion {
    private static final Set<Privilege> DML = Set.of(SELECT, INSERT, UPDATE, DELETE);

    private static final Trigger PROTECT_DELETE = Trigger.of(
            "svc_protect_delete",
            "BEFORE DELETE",
            "FOR EACH STATEMENT EXECUTE FUNCTION svc_functions.storage_protect_delete()");

    /** The column is Supabase's; a migration that inserts a bucket says nothing of it. */
    static final CompanionTable BUCKETS = LeanCompanion.BUCKETS
            .storedByType()
            .with(Column.of("versioning_status", "text").withDefault("'DISABLED'::text"));

    static final CompanionTable OBJECTS = LeanCompanion.OBJECTS
            .storedByType()
            .changing("id", column -> column.withDefault("gen_random_uuid()"))
            .changing("created_at", column -> column.withDefault("now()"))
            .changing("updated_at", column -> column.withDefault("now()"))
            .changing("last_accessed_at", column -> column.withDefault("now()"))
            .with(Constraint.of("objects_bucketId_fkey", "FOREIGN KEY (bucket_id) REFERENCES :\"storage\".buckets(id)"))
            .with(Index.unique("bucketid_objname", "USING btree (bucket_id, name)"))
            // Of listings: ranges of names are ranges of bytes.
            .with(Index.of("idx_objects_bucket_id_name", "USING btree (bucket_id, name COLLATE \"C\")"))
            // Of the sweeper, which asks for versions by the thousand.
            .with(Index.of("idx_objects_version", "USING btree (version)"))
            .with(PROTECT_DELETE)
            .with(Trigger.of(
                    "svc_keep_version",
                    "AFTER DELETE OR UPDATE OF version",
                    "FOR EACH ROW EXECUTE FUNCTION svc_functions.storage_keep_version()"))
            .granting(DML, ANON, AUTHENTICATED, SERVICE, SYSTEM);

    /**
     * What files were before they were replaced or deleted, in buckets with versioning. A tenant may not read it: policies
     * of objects do not reach rows that are not there any more.
     */
    private static final CompanionTable VERSIONS = CompanionTable.of(
                    CompanionSchema.STORAGE,
                    "object_versions",
                    true,
                    Column.of("id", "uuid").notNull().withDefault("gen_random_uuid()"),
                    Column.of("object_id", "uuid").notNull(),
                    Column.of("bucket_id", "text").notNull(),
                    Column.of("name", "text").notNull(),
                    Column.of("version", "text").notNull(),
                    Column.of("owner", "uuid"),
                    Column.of("owner_id", "text"),
                    Column.of("metadata", "jsonb"),
                    Column.of("user_metadata", "jsonb"),
                    Column.of("created_at", "timestamp with time zone"),
                    Column.of("archived_at", "timestamp with time zone")
                            .notNull()
                            .withDefault("now()"))
            .with(Constraint.of("object_versions_pkey", "PRIMARY KEY (id)"))
            .with(Constraint.of(
                    "object_versions_bucket_id_fkey", "FOREIGN KEY (bucket_id) REFERENCES :\"storage\".buckets(id)"))
            .with(Index.of("object_versions_name_idx", "USING btree (bucket_id, name COLLATE \"C\", archived_at)"))
            .with(Index.of("object_versions_version_idx", "USING btree (version)"))
            .granting(DML, SYSTEM);

    /** Beside buckets and objects. */
    static final List<CompanionTable> TABLES = List.of(VERSIONS);

    private StorageCompanion() {}
}
