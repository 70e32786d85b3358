package svc.database.project.companion;

import static svc.database.name.DatabaseRole.AUTHENTICATED;
import static svc.database.name.DatabaseRole.OWNER;
import static svc.database.name.DatabaseRole.SYSTEM;
import static svc.database.project.companion.CompanionSchema.AUTH;
import static svc.database.project.companion.Privilege.DELETE;
import static svc.database.project.companion.Privilege.INSERT;
import static svc.database.project.companion.Privilege.REFERENCES;
import static svc.database.project.companion.Privilege.SELECT;
import static svc.database.project.companion.Privilege.TRIGGER;
import static svc.database.project.companion.Privilege.UPDATE;

import com.google.errorprone.annotations.CompileTimeConstant;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import svc.database.project.companion.TablePart.Constraint;
import svc.database.project.companion.TablePart.Index;
import svc.database.project.companion.TablePart.Policy;
import svc.database.project.companion.TablePart.Trigger;
import svc.database.sql.Identifier;
import svc.database.sql.SqlFragment;

/**
 * The tables of the auth service, made when a project first uses it: Supabase's names and columns, where tenants' SQL may
 * look. "Use" is a request to the service, or a script of the owner that names one of them or writes users.
 *
 * <p>The owner may write users and identities, and delete sessions and factors. The platform's triggers keep such rows in a
 * form that the service can read.
 *
 * <p>Hazard: rows of these follow their user by ON DELETE CASCADE, which PostgreSQL runs with the rights of the table's
 * owner, the platform. A tenant's trigger on one of them would run with these rights, over all projects' companions. So the
 * owner of a project has TRIGGER on users alone, which nothing cascades into, and REFERENCES on none of them. What opens an
 * account (codes, secrets of factors, tokens of other places) it cannot even read.
 *
 * <p>A caller with a user's token sees its own factors, for policies that ask whether it has one; not their secrets.
 */
final class AuthCompanion {
    private static final Set<Privilege> DML = Set.of(SELECT, INSERT, UPDATE, DELETE);

    /** What {@link LeanCompanion} leaves out, see there. */
    static final CompanionTable USERS = LeanCompanion.USERS
            .storedByType()
            .changing("confirmation_token", column -> column.withDefault("''::character varying"))
            .changing("recovery_token", column -> column.withDefault("''::character varying"))
            .changing("email_change_token_new", column -> column.withDefault("''::character varying"))
            .changing("email_change", column -> column.withDefault("''::character varying"))
            .changing("email_change_token_current", column -> column.withDefault("''::character varying"))
            .changing("email_change_confirm_status", column -> column.withDefault("0"))
            .changing("phone_change", column -> column.withDefault("''::text"))
            .changing("phone_change_token", column -> column.withDefault("''::character varying"))
            .changing("reauthentication_token", column -> column.withDefault("''::character varying"))
            .changing("is_sso_user", column -> column.withDefault("false").notNull())
            .changing("is_anonymous", column -> column.withDefault("false").notNull())
            .with(Constraint.of("users_phone_key", "UNIQUE (phone)"))
            .with(Index.unique("users_email_partial_key", "USING btree (email) WHERE (is_sso_user = false)"))
            .with(Index.of("users_created_at_idx", "USING btree (created_at, id)"))
            .with(Trigger.of(
                    "svc_user", "BEFORE INSERT OR UPDATE", "FOR EACH ROW EXECUTE FUNCTION svc_functions.keep_user()"))
            .granting(Set.of(SELECT, REFERENCES, TRIGGER, INSERT, UPDATE, DELETE), OWNER);

    private static final CompanionTable IDENTITIES = table(
                    "identities",
                    Column.of("id", "uuid").notNull().withDefault("gen_random_uuid()"),
                    Column.of("provider_id", "text").notNull(),
                    Column.of("user_id", "uuid").notNull(),
                    Column.of("identity_data", "jsonb").notNull(),
                    Column.of("provider", "text").notNull(),
                    Column.of("last_sign_in_at", "timestamp with time zone"),
                    Column.of("created_at", "timestamp with time zone"),
                    Column.of("updated_at", "timestamp with time zone"),
                    Column.of("email", "text").generatedAs("lower((identity_data ->> 'email'::text))"))
            .with(Constraint.of("identities_pkey", "PRIMARY KEY (id)"))
            .with(Constraint.of("identities_provider_id_provider_unique", "UNIQUE (provider_id, provider)"))
            .with(ofUser("identities_user_id_fkey"))
            .with(Index.of("identities_user_id_idx", "USING btree (user_id)"))
            .with(Index.of("identities_email_idx", "USING btree (email)"))
            .with(Trigger.of(
                    "svc_identity",
                    "BEFORE INSERT OR UPDATE",
                    "FOR EACH ROW EXECUTE FUNCTION svc_functions.keep_identity()"))
            .granting(DML, OWNER);

    private static final CompanionTable SESSIONS = table(
                    "sessions",
                    Column.of("id", "uuid").notNull(),
                    Column.of("user_id", "uuid").notNull(),
                    Column.of("created_at", "timestamp with time zone"),
                    Column.of("updated_at", "timestamp with time zone"),
                    Column.of("factor_id", "uuid"),
                    Column.of("aal", "text"),
                    Column.of("not_after", "timestamp with time zone"),
                    Column.of("refreshed_at", "timestamp with time zone"),
                    Column.of("user_agent", "text"),
                    Column.of("ip", "inet"),
                    Column.of("tag", "text"),
                    Column.of("refresh_token_counter", "bigint"))
            .with(Constraint.of("sessions_pkey", "PRIMARY KEY (id)"))
            .with(ofUser("sessions_user_id_fkey"))
            .with(Index.of("sessions_user_id_idx", "USING btree (user_id, created_at)"))
            .granting(Set.of(SELECT, DELETE), OWNER);

    private static final List<Identifier> FACTOR_COLUMNS = Stream.of(
                    "id",
                    "user_id",
                    "friendly_name",
                    "factor_type",
                    "status",
                    "created_at",
                    "updated_at",
                    "phone",
                    "last_challenged_at")
            .map(Identifier::of)
            .toList();

    private static final CompanionTable FACTORS = CompanionTable.of(
                    AUTH,
                    "mfa_factors",
                    true,
                    Column.of("id", "uuid").notNull(),
                    Column.of("user_id", "uuid").notNull(),
                    Column.of("friendly_name", "text"),
                    Column.of("factor_type", "text").notNull(),
                    Column.of("status", "text").notNull(),
                    Column.of("created_at", "timestamp with time zone").notNull(),
                    Column.of("updated_at", "timestamp with time zone").notNull(),
                    Column.of("secret", "text"),
                    Column.of("phone", "text"),
                    Column.of("last_challenged_at", "timestamp with time zone"))
            .with(Constraint.of("mfa_factors_pkey", "PRIMARY KEY (id)"))
            .with(ofUser("mfa_factors_user_id_fkey"))
            .with(Index.unique(
                    "mfa_factors_user_friendly_name_unique",
                    "USING btree (friendly_name, user_id) WHERE (TRIM(BOTH FROM friendly_name) <> ''::text)"))
            .with(Index.of("mfa_factors_user_id_idx", "USING btree (user_id)"))
            .with(new Policy(
                    Identifier.of("svc_owner"),
                    SqlFragment.of("ALL"),
                    OWNER,
                    SqlFragment.of("true"),
                    SqlFragment.of("true")))
            .with(new Policy(
                    Identifier.of("svc_own"),
                    SqlFragment.of("SELECT"),
                    AUTHENTICATED,
                    SqlFragment.of("(user_id = svc_functions.auth_uid())"),
                    SqlFragment.empty()))
            .granting(DML, SYSTEM)
            .granting(Set.of(DELETE), OWNER)
            .readable(FACTOR_COLUMNS, OWNER, AUTHENTICATED);

    private static final CompanionTable CHALLENGES = table(
                    "mfa_challenges",
                    Column.of("id", "uuid").notNull(),
                    Column.of("factor_id", "uuid").notNull(),
                    Column.of("created_at", "timestamp with time zone").notNull(),
                    Column.of("verified_at", "timestamp with time zone"),
                    Column.of("ip_address", "inet"),
                    Column.of("otp_code", "text"))
            .with(Constraint.of("mfa_challenges_pkey", "PRIMARY KEY (id)"))
            .with(Constraint.of(
                    "mfa_challenges_auth_factor_id_fkey",
                    "FOREIGN KEY (factor_id) REFERENCES :\"auth\".mfa_factors(id) ON DELETE CASCADE"))
            .with(Index.of("mfa_challenges_factor_id_idx", "USING btree (factor_id, created_at)"));

    private static final CompanionTable AMR_CLAIMS = table(
                    "mfa_amr_claims",
                    Column.of("id", "uuid").notNull().withDefault("gen_random_uuid()"),
                    Column.of("session_id", "uuid").notNull(),
                    Column.of("created_at", "timestamp with time zone").notNull(),
                    Column.of("updated_at", "timestamp with time zone").notNull(),
                    Column.of("authentication_method", "text").notNull())
            .with(Constraint.of("amr_id_pk", "PRIMARY KEY (id)"))
            .with(Constraint.of(
                    "mfa_amr_claims_session_id_authentication_method_pkey",
                    "UNIQUE (session_id, authentication_method)"))
            .with(Constraint.of(
                    "mfa_amr_claims_session_id_fkey",
                    "FOREIGN KEY (session_id) REFERENCES :\"auth\".sessions(id) ON DELETE CASCADE"))
            .granting(Set.of(SELECT), OWNER);

    private static final CompanionTable ONE_TIME_TOKENS = table(
                    "one_time_tokens",
                    Column.of("id", "uuid").notNull().withDefault("gen_random_uuid()"),
                    Column.of("user_id", "uuid").notNull(),
                    Column.of("token_type", "text").notNull(),
                    Column.of("token_hash", "text").notNull(),
                    Column.of("relates_to", "text").notNull(),
                    Column.of("created_at", "timestamp with time zone")
                            .notNull()
                            .withDefault("now()"),
                    Column.of("updated_at", "timestamp with time zone")
                            .notNull()
                            .withDefault("now()"))
            .with(Constraint.of("one_time_tokens_pkey", "PRIMARY KEY (id)"))
            .with(Constraint.of("one_time_tokens_user_id_token_type_key", "UNIQUE (user_id, token_type)"))
            .with(ofUser("one_time_tokens_user_id_fkey"))
            .with(Index.of("one_time_tokens_token_hash_idx", "USING btree (token_hash)"))
            .with(Index.of("one_time_tokens_relates_to_idx", "USING btree (relates_to)"));

    private static final CompanionTable FLOW_STATE = table(
                    "flow_state",
                    Column.of("id", "uuid").notNull(),
                    Column.of("user_id", "uuid"),
                    Column.of("auth_code", "text"),
                    Column.of("code_challenge_method", "text"),
                    Column.of("code_challenge", "text"),
                    Column.of("provider_type", "text").notNull(),
                    Column.of("provider_access_token", "text"),
                    Column.of("provider_refresh_token", "text"),
                    Column.of("created_at", "timestamp with time zone"),
                    Column.of("updated_at", "timestamp with time zone"),
                    Column.of("authentication_method", "text").notNull(),
                    Column.of("auth_code_issued_at", "timestamp with time zone"),
                    Column.of("referrer", "text"),
                    Column.of("linking_target_id", "uuid"),
                    Column.of("nonce", "text"))
            .with(Constraint.of("flow_state_pkey", "PRIMARY KEY (id)"))
            .with(Index.of("flow_state_auth_code_idx", "USING btree (auth_code)"))
            .with(Index.of("flow_state_created_at_idx", "USING btree (created_at)"))
            .with(Index.of("idx_user_id_auth_method", "USING btree (user_id, authentication_method)"));

    private static final CompanionTable AUDIT_LOG = table(
                    "audit_log_entries",
                    Column.of("instance_id", "uuid"),
                    Column.of("id", "uuid").notNull(),
                    Column.of("payload", "json"),
                    Column.of("created_at", "timestamp with time zone"),
                    Column.of("ip_address", "character varying(64)").notNull().withDefault("''::character varying"))
            .with(Constraint.of("audit_log_entries_pkey", "PRIMARY KEY (id)"))
            .with(Index.of("audit_log_entries_created_at_idx", "USING btree (created_at)"))
            .granting(Set.of(SELECT), OWNER);

    /** Beside {@link #USERS}, each after those that it refers to. */
    static final List<CompanionTable> TABLES =
            List.of(IDENTITIES, SESSIONS, FACTORS, CHALLENGES, AMR_CLAIMS, ONE_TIME_TOKENS, FLOW_STATE, AUDIT_LOG);

    private AuthCompanion() {}

    private static CompanionTable table(@CompileTimeConstant final String name, Column... columns) {
        return CompanionTable.of(AUTH, name, false, columns).granting(DML, SYSTEM);
    }

    private static Constraint ofUser(@CompileTimeConstant final String name) {
        return Constraint.of(name, "FOREIGN KEY (user_id) REFERENCES :\"auth\".users(id) ON DELETE CASCADE");
    }
}
