package svc.database.project.companion;

import static svc.database.name.DatabaseRole.ANON;
import static svc.database.name.DatabaseRole.AUTHENTICATED;
import static svc.database.name.DatabaseRole.OWNER;
import static svc.database.name.DatabaseRole.SERVICE;
import static svc.database.name.DatabaseRole.SYSTEM;
import static svc.database.project.companion.CompanionSchema.AUTH;
import static svc.database.project.companion.CompanionSchema.REALTIME;
import static svc.database.project.companion.CompanionSchema.STORAGE;
import static svc.database.project.companion.Privilege.DELETE;
import static svc.database.project.companion.Privilege.INSERT;
import static svc.database.project.companion.Privilege.REFERENCES;
import static svc.database.project.companion.Privilege.SELECT;
import static svc.database.project.companion.Privilege.TRIGGER;
import static svc.database.project.companion.Privilege.UPDATE;

import java.util.List;
import java.util.Set;
import svc.database.project.companion.TablePart.Constraint;
import svc.database.project.companion.TablePart.Policy;
import svc.database.sql.Identifier;
import svc.database.sql.SqlFragment;

/**
 * The companion of every new project: the tables that Supabase's clients and migrations name, and of these only
 * what something can hold on to before the service is first used: columns, and primary keys for tenants' foreign keys. Every
 * index, TOAST table, default and NOT NULL costs each idle project its share of files and catalogs.
 *
 * <p>The rest comes with the other tables of a service when a project first uses that service, as additive DDL:
 *
 * <ul>
 *   <li>auth.users: INSERT, UPDATE and DELETE for the owner; unique phone; unique email where not is_sso_user; NOT NULL DEFAULT false of is_sso_user and
 *       is_anonymous; the empty strings and zero that its token columns default to.
 *   <li>storage.objects: unique (bucket_id, name), the key to buckets, DEFAULT gen_random_uuid() of id and now() of the
 *       times; INSERT, UPDATE and DELETE for anon, authenticated and service.
 *   <li>realtime.messages: primary key (id), NOT NULL and defaults; INSERT for owner, anon, authenticated and service.
 *   <li>The types' normal storage of every column ({@link CompanionTable#inline}).
 * </ul>
 *
 * <p>The functions are made in a database of the project's own only; a shared one has them once.
 *
 * <p>That is possible because only the platform's services ({@code system}) may write these three tables until then, so they
 * are empty: rows of a tenant could violate the unique keys. Buckets are different: migrations insert them,
 * so they are complete but for the storage of columns, which can change with rows there.
 */
final class LeanCompanion {
    private static final Set<Privilege> DML = Set.of(SELECT, INSERT, UPDATE, DELETE);

    static final CompanionTable USERS = CompanionTable.of(
                    AUTH,
                    "users",
                    false,
                    Column.of("instance_id", "uuid"),
                    Column.of("id", "uuid").notNull(),
                    Column.of("aud", "character varying(255)"),
                    Column.of("role", "character varying(255)"),
                    Column.of("email", "character varying(255)"),
                    Column.of("encrypted_password", "character varying(255)"),
                    Column.of("email_confirmed_at", "timestamp with time zone"),
                    Column.of("invited_at", "timestamp with time zone"),
                    Column.of("confirmation_token", "character varying(255)"),
                    Column.of("confirmation_sent_at", "timestamp with time zone"),
                    Column.of("recovery_token", "character varying(255)"),
                    Column.of("recovery_sent_at", "timestamp with time zone"),
                    Column.of("email_change_token_new", "character varying(255)"),
                    Column.of("email_change", "character varying(255)"),
                    Column.of("email_change_sent_at", "timestamp with time zone"),
                    Column.of("last_sign_in_at", "timestamp with time zone"),
                    Column.of("raw_app_meta_data", "jsonb"),
                    Column.of("raw_user_meta_data", "jsonb"),
                    Column.of("is_super_admin", "boolean"),
                    Column.of("created_at", "timestamp with time zone"),
                    Column.of("updated_at", "timestamp with time zone"),
                    Column.of("phone", "text"),
                    Column.of("phone_confirmed_at", "timestamp with time zone"),
                    Column.of("phone_change", "text"),
                    Column.of("phone_change_token", "character varying(255)"),
                    Column.of("phone_change_sent_at", "timestamp with time zone"),
                    Column.of("confirmed_at", "timestamp with time zone")
                            .generatedAs("LEAST(email_confirmed_at, phone_confirmed_at)"),
                    Column.of("email_change_token_current", "character varying(255)"),
                    Column.of("email_change_confirm_status", "smallint"),
                    Column.of("banned_until", "timestamp with time zone"),
                    Column.of("reauthentication_token", "character varying(255)"),
                    Column.of("reauthentication_sent_at", "timestamp with time zone"),
                    Column.of("is_sso_user", "boolean"),
                    Column.of("deleted_at", "timestamp with time zone"),
                    Column.of("is_anonymous", "boolean"))
            .inline()
            .with(Constraint.of("users_pkey", "PRIMARY KEY (id)"))
            .granting(Set.of(SELECT, REFERENCES, TRIGGER), OWNER)
            .granting(DML, SYSTEM);

    static final CompanionTable BUCKETS = CompanionTable.of(
                    STORAGE,
                    "buckets",
                    true,
                    Column.of("id", "text").notNull(),
                    Column.of("name", "text").notNull(),
                    Column.of("owner", "uuid"),
                    Column.of("created_at", "timestamp with time zone").withDefault("now()"),
                    Column.of("updated_at", "timestamp with time zone").withDefault("now()"),
                    Column.of("public", "boolean").withDefault("false"),
                    Column.of("avif_autodetection", "boolean").withDefault("false"),
                    Column.of("file_size_limit", "bigint"),
                    Column.of("allowed_mime_types", "text[]"),
                    Column.of("owner_id", "text"),
                    Column.of("type", "text").notNull().withDefault("'STANDARD'::text"))
            .inline()
            .with(Constraint.of("buckets_pkey", "PRIMARY KEY (id)"))
            .with(ownerPolicy(SqlFragment.of("ALL"), SqlFragment.of("true")))
            .granting(Set.of(SELECT, REFERENCES, TRIGGER, INSERT, UPDATE, DELETE), OWNER)
            .granting(DML, ANON, AUTHENTICATED, SERVICE, SYSTEM);

    static final CompanionTable OBJECTS = CompanionTable.of(
                    STORAGE,
                    "objects",
                    true,
                    Column.of("id", "uuid").notNull(),
                    Column.of("bucket_id", "text"),
                    Column.of("name", "text"),
                    Column.of("owner", "uuid"),
                    Column.of("created_at", "timestamp with time zone"),
                    Column.of("updated_at", "timestamp with time zone"),
                    Column.of("last_accessed_at", "timestamp with time zone"),
                    Column.of("metadata", "jsonb"),
                    Column.of("path_tokens", "text[]").generatedAs("string_to_array(name, '/'::text)"),
                    Column.of("version", "text"),
                    Column.of("owner_id", "text"),
                    Column.of("user_metadata", "jsonb"))
            .inline()
            .with(Constraint.of("objects_pkey", "PRIMARY KEY (id)"))
            .with(ownerPolicy(SqlFragment.of("SELECT"), SqlFragment.empty()))
            .granting(Set.of(SELECT, REFERENCES, TRIGGER), OWNER)
            .granting(Set.of(SELECT), ANON, AUTHENTICATED, SERVICE)
            .granting(DML, SYSTEM);

    static final CompanionTable MESSAGES = CompanionTable.of(
                    REALTIME,
                    "messages",
                    true,
                    Column.of("topic", "text"),
                    Column.of("extension", "text"),
                    Column.of("payload", "jsonb"),
                    Column.of("event", "text"),
                    Column.of("private", "boolean"),
                    Column.of("updated_at", "timestamp without time zone"),
                    Column.of("inserted_at", "timestamp without time zone"),
                    Column.of("id", "uuid"),
                    Column.of("binary_payload", "bytea"))
            .inline()
            .granting(Set.of(SELECT), ANON, AUTHENTICATED, SERVICE)
            .granting(DML, SYSTEM);

    private static final List<CompanionFunction> FUNCTIONS = List.of(
            CompanionFunction.ofSession(AUTH, "uid", "uuid", "svc_functions.auth_uid()"),
            CompanionFunction.ofSession(AUTH, "jwt", "jsonb", "svc_functions.auth_jwt()"),
            CompanionFunction.ofSession(AUTH, "role", "text", "svc_functions.auth_role()"),
            CompanionFunction.ofSession(AUTH, "email", "text", "svc_functions.auth_email()"),
            CompanionFunction.ofText(STORAGE, "foldername", "text[]", "svc_functions.storage_foldername(name)"),
            CompanionFunction.ofText(STORAGE, "filename", "text", "svc_functions.storage_filename(name)"),
            CompanionFunction.ofText(STORAGE, "extension", "text", "svc_functions.storage_extension(name)"),
            CompanionFunction.ofSession(STORAGE, "operation", "text", "svc_functions.storage_operation()"),
            CompanionFunction.ofSession(REALTIME, "topic", "text", "svc_functions.realtime_topic()"));

    /** From 2 on, a shared database has the functions once; the tables are those of version 1. */
    static final Companion CURRENT = new Companion(2, List.of(USERS, BUCKETS, OBJECTS, MESSAGES), FUNCTIONS);

    private LeanCompanion() {}

    /**
     * Says in the catalog what row security, which does not hold for the owner, keeps from it: nothing. A table that would
     * keep rows from an owner by a policy has to do so by a privilege.
     */
    static Policy ownerPolicy(SqlFragment command, SqlFragment check) {
        return new Policy(Identifier.of("svc_owner"), command, OWNER, SqlFragment.of("true"), check);
    }
}
