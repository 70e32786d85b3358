package svc.auth.rows;

import com.fasterxml.jackson.databind.node.ObjectNode;
import svc.auth.model.User;
import svc.database.sql.SqlTemplate;

/** The table {@code auth.audit_log_entries}; each entry is written in the transaction of its action. */
public final class AuditLog {
    private static final SqlTemplate INSERT = SqlTemplate.of("""
        WITH made AS (INSERT INTO :"auth".audit_log_entries (instance_id, id, payload, created_at)
            VALUES ('00000000-0000-0000-0000-000000000000', gen_random_uuid(), ?::json, now()) RETURNING id)
        SELECT to_jsonb(id)::text FROM made\
        """);

    private final AuthSession rows;

    public AuditLog(AuthSession rows) {
        this.rows = rows;
    }

    /** GoTrue's actions. */
    public enum Action {
        LOGIN("login", "account"),
        LOGOUT("logout", "account"),
        USER_SIGNED_UP("user_signedup", "team"),
        USER_REPEATED_SIGN_UP("user_repeated_signup", "user"),
        USER_CONFIRMATION_REQUESTED("user_confirmation_requested", "user"),
        USER_RECOVERY_REQUESTED("user_recovery_requested", "user"),
        USER_REAUTHENTICATE_REQUESTED("user_reauthenticate_requested", "user"),
        INVITE_ACCEPTED("invite_accepted", "team"),
        USER_INVITED("user_invited", "team"),
        USER_MODIFIED("user_modified", "user"),
        USER_UPDATED_PASSWORD("user_updated_password", "user"),
        IDENTITY_LINKED("identity_linked", "user"),
        IDENTITY_UNLINKED("identity_unlinked", "user"),
        USER_DELETED("user_deleted", "team"),
        TOKEN_REFRESHED("token_refreshed", "token"),
        TOKEN_REVOKED("token_revoked", "token"),
        FACTOR_IN_PROGRESS("factor_in_progress", "factor"),
        CHALLENGE_CREATED("challenge_created", "factor"),
        VERIFICATION_ATTEMPTED("verification_attempted", "factor"),
        FACTOR_UNENROLLED("factor_unenrolled", "factor"),
        FACTOR_DELETED("factor_deleted", "factor");

        private final String word;
        private final String type;

        Action(String word, String type) {
            this.word = word;
            this.type = type;
        }
    }

    /** @param actor the user who acted, or who was acted on */
    public void record(Action action, User actor) {
        ObjectNode payload = AuthSession.object();
        payload.put("action", action.word);
        payload.put("log_type", action.type);
        payload.put("actor_id", actor.id().toString());
        payload.put("actor_username", actor.email().orElse(""));
        rows.ask(INSERT, payload.toString());
    }
}
