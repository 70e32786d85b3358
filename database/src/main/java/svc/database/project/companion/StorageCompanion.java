package svc.database.project.companion;

import static svc.database.name.DatabaseRole.ANON;
import static svc.database.name.DatabaseRole.AUTHENTICATED;
import static svc.database.name.DatabaseRole.SERVICE;
import static svc.database.name.DatabaseRole.SYSTEM;
import static svc.database.project.companion.Privilege.DELETE;
import static svc.database.project.companion.Privilege.INSERT;
import static svc.database.project.companion.Privilege.SELECT;
import static svc.database.project.companion.Privilege.UPDATE;

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

    static final CompanionTable BUCKETS = LeanCompanion.BUCKETS.storedByType();

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
            .granting(DML, ANON, AUTHENTICATED, SERVICE, SYSTEM);

    private StorageCompanion() {}
}
