package svc.database.project.companion;

import static svc.database.name.DatabaseRole.ANON;
import static svc.database.name.DatabaseRole.AUTHENTICATED;
import static svc.database.name.DatabaseRole.SERVICE;
import static svc.database.name.DatabaseRole.SYSTEM;
import static svc.database.project.companion.CompanionSchema.STORAGE;
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

    /** After the triggers of the tenant, which may change the row before it is written. */
    private static final Trigger PROTECT_CONTENT = Trigger.of(
            "svc_protect_content",
            "AFTER INSERT OR UPDATE",
            "FOR EACH ROW EXECUTE FUNCTION svc_functions.storage_protect_content()");

    private static final Trigger KEEP_VERSION = Trigger.of(
            "svc_keep_version",
            "AFTER DELETE OR UPDATE OF version",
            "FOR EACH ROW EXECUTE FUNCTION svc_functions.storage_keep_version()");

    private static final Trigger QUEUE_EVENTS = Trigger.of(
            "svc_queue_events",
            "AFTER INSERT OR DELETE OR UPDATE OF bucket_id, name, version",
            "FOR EACH ROW EXECUTE FUNCTION svc_functions.storage_queue_events()");

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
            // No two files have the same bytes, which are deleted with one. The sweeper asks for versions by the
            // thousand.
            .with(Index.unique("idx_objects_version", "USING btree (version)"))
            .with(PROTECT_DELETE)
            .with(PROTECT_CONTENT)
            .with(KEEP_VERSION)
            .with(QUEUE_EVENTS)
            .granting(DML, ANON, AUTHENTICATED, SERVICE, SYSTEM);

    /**
     * Uploads by TUS that are not a file yet, and for a while those that are. Only the service reads and writes them: what
     * callers may do is asked of objects. Hazard: bytes that a row names here are swept when the row is gone.
     */
    private static final CompanionTable RESUMABLE_UPLOADS = CompanionTable.of(
                    STORAGE,
                    "resumable_uploads",
                    false,
                    Column.of("id", "uuid").notNull(),
                    Column.of("caller", "text").notNull(),
                    Column.of("bucket_id", "text").notNull(),
                    Column.of("name", "text").notNull(),
                    Column.of("owner_id", "text").notNull(),
                    Column.of("upsert", "boolean").notNull(),
                    Column.of("metadata", "jsonb").notNull(),
                    Column.of("user_metadata", "jsonb"),
                    Column.of("upload_metadata", "text").notNull(),
                    Column.of("partial", "boolean").notNull(),
                    Column.of("concat", "text").notNull(),
                    Column.of("concatenated_into", "uuid"),
                    Column.of("upload_length", "bigint"),
                    Column.of("upload_offset", "bigint").notNull(),
                    Column.of("version", "text").notNull(),
                    Column.of("s3_upload_id", "text").notNull(),
                    Column.of("parts", "integer").notNull(),
                    Column.of("tails", "jsonb").notNull(),
                    Column.of("state", "text").notNull(),
                    Column.of("begun", "boolean").notNull(),
                    Column.of("writer", "uuid").notNull(),
                    Column.of("created_at", "timestamp with time zone").notNull(),
                    Column.of("expires_at", "timestamp with time zone").notNull())
            .with(Constraint.of("resumable_uploads_pkey", "PRIMARY KEY (id)"))
            .with(Index.of("resumable_uploads_expires_at_idx", "USING btree (expires_at)"))
            .with(Index.of("resumable_uploads_caller_idx", "USING btree (caller) WHERE (state <> 'complete'::text)"))
            .granting(DML, SYSTEM);

    /**
     * What files were before they were replaced or deleted, in buckets with versioning. A tenant may not read it: policies
     * of objects do not reach rows that are not there any more.
     */
    private static final CompanionTable VERSIONS = CompanionTable.of(
                    STORAGE,
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

    /** Events of files that are still to be sent to webhooks. Only the service reads and deletes them. */
    private static final CompanionTable EVENTS = CompanionTable.of(
                    STORAGE,
                    "object_events",
                    true,
                    Column.of("id", "uuid").notNull().withDefault("gen_random_uuid()"),
                    Column.of("webhook", "text").notNull(),
                    Column.of("event", "jsonb").notNull(),
                    Column.of("created_at", "timestamp with time zone")
                            .notNull()
                            .withDefault("clock_timestamp()"),
                    Column.of("next_at", "timestamp with time zone").notNull().withDefault("clock_timestamp()"),
                    Column.of("attempts", "integer").notNull().withDefault("0"),
                    Column.of("error", "text"))
            .with(Constraint.of("object_events_pkey", "PRIMARY KEY (id)"))
            .with(Index.of("object_events_created_at_idx", "USING btree (webhook, created_at)"))
            .with(Index.of("object_events_next_at_idx", "USING btree (webhook, next_at)"))
            .granting(DML, SYSTEM);

    /** Uploads in parts over the S3 protocol that are not complete. Only the service reads and writes them. */
    private static final CompanionTable MULTIPART_UPLOADS = CompanionTable.of(
                    STORAGE,
                    "s3_multipart_uploads",
                    true,
                    Column.of("id", "text").notNull(),
                    Column.of("in_progress_size", "bigint").notNull().withDefault("0"),
                    Column.of("upload_signature", "text").notNull().withDefault("''::text"),
                    Column.of("bucket_id", "text").notNull(),
                    Column.of("key", "text").notNull(),
                    Column.of("version", "text").notNull(),
                    Column.of("owner_id", "text"),
                    Column.of("created_at", "timestamp with time zone")
                            .notNull()
                            .withDefault("now()"),
                    Column.of("user_metadata", "jsonb"),
                    Column.of("metadata", "jsonb"))
            .with(Constraint.of("s3_multipart_uploads_pkey", "PRIMARY KEY (id)"))
            .with(Index.of("idx_multipart_uploads_list", "USING btree (bucket_id, key COLLATE \"C\", created_at)"))
            .granting(DML, SYSTEM);

    /** Their parts. A part that is sent again replaces the earlier one. */
    private static final CompanionTable MULTIPART_PARTS = CompanionTable.of(
                    STORAGE,
                    "s3_multipart_uploads_parts",
                    true,
                    Column.of("id", "uuid").notNull().withDefault("gen_random_uuid()"),
                    Column.of("upload_id", "text").notNull(),
                    Column.of("size", "bigint").notNull().withDefault("0"),
                    Column.of("part_number", "integer").notNull(),
                    Column.of("bucket_id", "text").notNull(),
                    Column.of("key", "text").notNull(),
                    Column.of("etag", "text").notNull(),
                    Column.of("owner_id", "text"),
                    Column.of("version", "text").notNull(),
                    Column.of("created_at", "timestamp with time zone")
                            .notNull()
                            .withDefault("now()"))
            .with(Constraint.of("s3_multipart_uploads_parts_pkey", "PRIMARY KEY (id)"))
            .with(Index.unique("s3_multipart_uploads_parts_number", "USING btree (upload_id, part_number)"))
            .granting(DML, SYSTEM);

    /** Beside {@link #BUCKETS} and {@link #OBJECTS}. */
    static final List<CompanionTable> TABLES =
            List.of(RESUMABLE_UPLOADS, MULTIPART_UPLOADS, MULTIPART_PARTS, VERSIONS, EVENTS);

    private StorageCompanion() {}
}
