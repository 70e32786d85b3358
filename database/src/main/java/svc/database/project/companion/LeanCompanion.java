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
import svc.database.project.companion.TablePart.Index;
import svc.database.project.companion.TablePart.Policy;
import svc.database.sql.Identifier;
import svc.database.sql.SqlFragment;

/**
 * What every project starts with: the tables and functions that Supabase's clients and migrations name. The other tables of
 * a service are added when a project first uses that service, because each costs every idle project its files.
 */
final class LeanCompanion {
    private static final Set<Privilege> DML = Set.of(SELECT, INSERT, UPDATE, DELETE);

    private static final CompanionTable USERS = CompanionTable.of(
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
                    Column.of("phone_change", "text").withDefault("''::text"),
                    Column.of("phone_change_token", "character varying(255)").withDefault("''::character varying"),
                    Column.of("phone_change_sent_at", "timestamp with time zone"),
                    Column.of("confirmed_at", "timestamp with time zone")
                            .generatedAs("LEAST(email_confirmed_at, phone_confirmed_at)"),
                    Column.of("email_change_token_current", "character varying(255)")
                            .withDefault("''::character varying"),
                    Column.of("email_change_confirm_status", "smallint").withDefault("0"),
                    Column.of("banned_until", "timestamp with time zone"),
                    Column.of("reauthentication_token", "character varying(255)")
                            .withDefault("''::character varying"),
                    Column.of("reauthentication_sent_at", "timestamp with time zone"),
                    Column.of("is_sso_user", "boolean").notNull().withDefault("false"),
                    Column.of("deleted_at", "timestamp with time zone"),
                    Column.of("is_anonymous", "boolean").notNull().withDefault("false"))
            .with(Constraint.of("users_pkey", "PRIMARY KEY (id)"))
            .with(Constraint.of("users_phone_key", "UNIQUE (phone)"))
            .with(Index.unique("users_email_partial_key", "USING btree (email) WHERE (is_sso_user = false)"))
            .granting(Set.of(SELECT, REFERENCES, TRIGGER), OWNER)
            .granting(DML, SYSTEM);

    private static final CompanionTable BUCKETS = CompanionTable.of(
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
            .with(Constraint.of("buckets_pkey", "PRIMARY KEY (id)"))
            .with(ownerPolicy(SqlFragment.of("ALL"), SqlFragment.of("true")))
            .granting(Set.of(SELECT, REFERENCES, TRIGGER, INSERT, UPDATE, DELETE), OWNER)
            .granting(DML, ANON, AUTHENTICATED, SERVICE, SYSTEM);

    private static final CompanionTable OBJECTS = CompanionTable.of(
                    STORAGE,
                    "objects",
                    true,
                    Column.of("id", "uuid").notNull().withDefault("gen_random_uuid()"),
                    Column.of("bucket_id", "text"),
                    Column.of("name", "text"),
                    Column.of("owner", "uuid"),
                    Column.of("created_at", "timestamp with time zone").withDefault("now()"),
                    Column.of("updated_at", "timestamp with time zone").withDefault("now()"),
                    Column.of("last_accessed_at", "timestamp with time zone").withDefault("now()"),
                    Column.of("metadata", "jsonb"),
                    Column.of("path_tokens", "text[]").generatedAs("string_to_array(name, '/'::text)"),
                    Column.of("version", "text"),
                    Column.of("owner_id", "text"),
                    Column.of("user_metadata", "jsonb"))
            .with(Constraint.of("objects_pkey", "PRIMARY KEY (id)"))
            .with(Constraint.of("bucketid_objname", "UNIQUE (bucket_id, name)"))
            .with(Constraint.of("objects_bucketId_fkey", "FOREIGN KEY (bucket_id) REFERENCES :\"storage\".buckets(id)"))
            .with(ownerPolicy(SqlFragment.of("SELECT"), SqlFragment.empty()))
            .granting(Set.of(SELECT, REFERENCES, TRIGGER), OWNER)
            .granting(DML, ANON, AUTHENTICATED, SERVICE, SYSTEM);

    private static final CompanionTable MESSAGES = CompanionTable.of(
                    REALTIME,
                    "messages",
                    true,
                    Column.of("topic", "text").notNull(),
                    Column.of("extension", "text").notNull(),
                    Column.of("payload", "jsonb"),
                    Column.of("event", "text"),
                    Column.of("private", "boolean").withDefault("false"),
                    Column.of("updated_at", "timestamp without time zone")
                            .notNull()
                            .withDefault("now()"),
                    Column.of("inserted_at", "timestamp without time zone")
                            .notNull()
                            .withDefault("now()"),
                    Column.of("id", "uuid").notNull().withDefault("gen_random_uuid()"),
                    Column.of("binary_payload", "bytea"))
            .with(Constraint.of("messages_pkey", "PRIMARY KEY (id)"))
            .granting(Set.of(SELECT, INSERT), ANON, AUTHENTICATED, SERVICE)
            .granting(DML, SYSTEM);

    private static final List<CompanionFunction> FUNCTIONS = List.of(
            CompanionFunction.ofSession(
                    AUTH,
                    "uid",
                    "uuid",
                    "(COALESCE(NULLIF(current_setting('request.jwt.claim.sub'::text, true), ''::text), "
                            + "((NULLIF(current_setting('request.jwt.claims'::text, true), ''::text))::jsonb"
                            + " ->> 'sub'::text)))::uuid"),
            CompanionFunction.ofSession(
                    AUTH,
                    "jwt",
                    "jsonb",
                    "(COALESCE(NULLIF(current_setting('request.jwt.claim'::text, true), ''::text), "
                            + "NULLIF(current_setting('request.jwt.claims'::text, true), ''::text)))::jsonb"),
            CompanionFunction.ofSession(
                    AUTH,
                    "role",
                    "text",
                    "COALESCE(NULLIF(current_setting('request.jwt.claim.role'::text, true), ''::text), "
                            + "((NULLIF(current_setting('request.jwt.claims'::text, true), ''::text))::jsonb"
                            + " ->> 'role'::text))"),
            CompanionFunction.ofSession(
                    AUTH,
                    "email",
                    "text",
                    "COALESCE(NULLIF(current_setting('request.jwt.claim.email'::text, true), ''::text), "
                            + "((NULLIF(current_setting('request.jwt.claims'::text, true), ''::text))::jsonb"
                            + " ->> 'email'::text))"),
            CompanionFunction.ofText(
                    STORAGE,
                    "foldername",
                    "text[]",
                    "(string_to_array(name, '/'::text))[:(array_length(string_to_array(name, '/'::text), 1) - 1)]"),
            CompanionFunction.ofText(STORAGE, "filename", "text", "split_part(name, '/'::text, '-1'::integer)"),
            CompanionFunction.ofText(
                    STORAGE,
                    "extension",
                    "text",
                    "split_part(split_part(name, '/'::text, '-1'::integer), '.'::text, '-1'::integer)"),
            CompanionFunction.ofSession(
                    REALTIME, "topic", "text", "NULLIF(current_setting('realtime.topic'::text, true), ''::text)"));

    static final Companion VERSION_1 = new Companion(1, List.of(USERS, BUCKETS, OBJECTS, MESSAGES), FUNCTIONS);

    private LeanCompanion() {}

    /** Agents' migrations insert buckets and read objects as the owner, whom row security would show nothing. */
    private static Policy ownerPolicy(SqlFragment command, SqlFragment check) {
        return new Policy(Identifier.of("svc_owner"), command, OWNER, SqlFragment.of("true"), check);
    }
}
