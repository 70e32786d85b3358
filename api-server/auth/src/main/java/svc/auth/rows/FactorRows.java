package svc.auth.rows;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import svc.auth.model.Factor;
import svc.auth.model.FactorChallenge;
import svc.auth.model.Timestamp;
import svc.database.sql.SqlTemplate;

/** The tables {@code auth.mfa_factors} and {@code auth.mfa_challenges}. */
public final class FactorRows {
    private static final SqlTemplate INSERT = SqlTemplate.of("""
        WITH made AS (INSERT INTO :"auth".mfa_factors
            (id, user_id, friendly_name, factor_type, status, created_at, updated_at, secret, phone)
            VALUES (?::uuid, ?::uuid, nullif(?, ''), ?, 'unverified', ?::timestamptz, now(), nullif(?, ''), nullif(?, ''))
            RETURNING id)
        SELECT to_jsonb(id)::text FROM made\
        """);

    private static final SqlTemplate LOCK = SqlTemplate.of("""
        SELECT (SELECT to_jsonb(l) FROM (SELECT f.* FROM :"auth".mfa_factors f
            WHERE f.id = ?::uuid AND f.user_id = ?::uuid FOR UPDATE) l)::text\
        """);

    private static final SqlTemplate SAVE_SECRET = SqlTemplate.of("""
        WITH saved AS (UPDATE :"auth".mfa_factors SET secret = ? WHERE id = ?::uuid RETURNING id)
        SELECT (SELECT to_jsonb(id) FROM saved)::text\
        """);

    private static final SqlTemplate VERIFY = SqlTemplate.of("""
        WITH verified AS (UPDATE :"auth".mfa_factors SET status = 'verified', updated_at = now()
            WHERE id = ?::uuid RETURNING id, user_id, factor_type),
        others AS (DELETE FROM :"auth".mfa_factors f USING verified v
            WHERE f.user_id = v.user_id AND f.factor_type = v.factor_type AND f.id <> v.id AND f.status = 'unverified')
        SELECT (SELECT to_jsonb(id) FROM verified)::text\
        """);

    private static final SqlTemplate DELETE = SqlTemplate.of("""
        WITH gone AS (DELETE FROM :"auth".mfa_factors WHERE id = ?::uuid RETURNING id),
        weaker AS (UPDATE :"auth".sessions s SET aal = 'aal1', factor_id = NULL FROM gone WHERE s.factor_id = gone.id)
        SELECT (SELECT to_jsonb(id) FROM gone)::text\
        """);

    private static final SqlTemplate DELETE_ALL = SqlTemplate.of("""
        WITH gone AS (DELETE FROM :"auth".mfa_factors WHERE user_id = ?::uuid RETURNING id)
        SELECT (SELECT to_jsonb(count(*)) FROM gone)::text\
        """);

    private static final SqlTemplate DELETE_STALE = SqlTemplate.of("""
        WITH gone AS (DELETE FROM :"auth".mfa_factors f WHERE f.user_id = ?::uuid AND f.status = 'unverified'
            AND f.created_at < ?::timestamptz AND coalesce(f.last_challenged_at < ?::timestamptz, true) RETURNING f.id)
        SELECT (SELECT to_jsonb(count(*)) FROM gone)::text\
        """);

    private static final SqlTemplate DELETE_PHONE = SqlTemplate.of("""
        WITH gone AS (DELETE FROM :"auth".mfa_factors f WHERE f.user_id = ?::uuid AND f.status = 'unverified'
            AND f.phone = ? RETURNING f.id)
        SELECT (SELECT to_jsonb(count(*)) FROM gone)::text\
        """);

    // Old challenges of the factor are deleted along with the insert.
    private static final SqlTemplate CHALLENGE = SqlTemplate.of("""
        WITH old AS (DELETE FROM :"auth".mfa_challenges WHERE factor_id = ?::uuid AND created_at < ?::timestamptz),
        made AS (INSERT INTO :"auth".mfa_challenges (id, factor_id, created_at, ip_address, otp_code)
            VALUES (?::uuid, ?::uuid, ?::timestamptz, nullif(?, '')::inet, nullif(?, '')) RETURNING id, factor_id, created_at),
        factor AS (UPDATE :"auth".mfa_factors f SET last_challenged_at = made.created_at FROM made
            WHERE f.id = made.factor_id)
        SELECT (SELECT to_jsonb(id) FROM made)::text\
        """);

    private static final SqlTemplate ONE_CHALLENGE = SqlTemplate.of("""
        SELECT (SELECT to_jsonb(c) || jsonb_build_object('same_address',
                c.ip_address IS NOT DISTINCT FROM nullif(?, '')::inet,
            'last_step', (SELECT max(u.otp_code::bigint) FROM :"auth".mfa_challenges u
                WHERE u.factor_id = c.factor_id AND u.verified_at IS NOT NULL AND u.otp_code ~ '^[0-9]{1,18}$'))
        FROM :"auth".mfa_challenges c WHERE c.id = ?::uuid AND c.factor_id = ?::uuid)::text\
        """);

    private static final SqlTemplate DELETE_CHALLENGE = SqlTemplate.of("""
        WITH gone AS (DELETE FROM :"auth".mfa_challenges WHERE id = ?::uuid RETURNING factor_id),
        factor AS (UPDATE :"auth".mfa_factors f SET last_challenged_at = nullif(?, '')::timestamptz FROM gone
            WHERE f.id = gone.factor_id)
        SELECT (SELECT to_jsonb(factor_id) FROM gone)::text\
        """);

    private static final SqlTemplate PASSED = SqlTemplate.of("""
        WITH passed AS (UPDATE :"auth".mfa_challenges SET verified_at = ?::timestamptz, otp_code = nullif(?, '')
            WHERE id = ?::uuid RETURNING id)
        SELECT (SELECT to_jsonb(id) FROM passed)::text\
        """);

    private final AuthSession rows;

    public FactorRows(AuthSession rows) {
        this.rows = rows;
    }

    /**
     * A factor that is not yet verified.
     *
     * @param secret sealed; empty for a phone
     * @param phone empty for an app
     */
    public record NewFactor(UUID id, String name, Factor.Type type, String secret, String phone) {}

    public void insert(UUID user, NewFactor factor, Instant now) {
        rows.ask(
                INSERT,
                factor.id().toString(),
                user.toString(),
                factor.name(),
                factor.type().word(),
                now.toString(),
                factor.secret(),
                factor.phone());
    }

    /** Locks the row until the transaction ends; with the secret. */
    public Optional<Factor> locked(UUID factor, UUID user) {
        return rows.ask(LOCK, factor.toString(), user.toString()).map(RowMapper::factor);
    }

    public void saveSecret(UUID factor, String sealed) {
        rows.ask(SAVE_SECRET, sealed, factor.toString());
    }

    /** Marks the factor as verified, and deletes the user's unverified factors of the same type. */
    public void verify(UUID factor) {
        rows.ask(VERIFY, factor.toString());
    }

    /** Sessions that were raised by the factor fall back to aal1. */
    public void delete(UUID factor) {
        rows.ask(DELETE, factor.toString());
    }

    /** Deletes all factors of a user, verified or not. */
    public void deleteOf(UUID user) {
        rows.ask(DELETE_ALL, user.toString());
    }

    /** Deletes unverified factors that were abandoned. */
    public void deleteStale(UUID user, Instant before) {
        rows.ask(DELETE_STALE, user.toString(), before.toString(), before.toString());
    }

    /** Deletes unverified factors with the same number. */
    public void deleteUnverified(UUID user, String phone) {
        rows.ask(DELETE_PHONE, user.toString(), phone);
    }

    /**
     * Inserts a challenge.
     *
     * @param address of the caller; empty when it is not known
     * @param code sealed, of a message; empty for an app
     * @param kept older challenges of the factor are deleted
     */
    public void challenge(UUID id, UUID factor, Instant now, String address, String code, Duration kept) {
        rows.ask(
                CHALLENGE,
                factor.toString(),
                now.minus(kept).toString(),
                id.toString(),
                factor.toString(),
                now.toString(),
                address,
                code);
    }

    public Optional<FactorChallenge> challenge(UUID id, UUID factor, String address) {
        return rows.ask(ONE_CHALLENGE, address, id.toString(), factor.toString())
                .map(RowMapper::challenge);
    }

    /** @param before the factor's challenge before this one */
    public void deleteChallenge(UUID id, Optional<Timestamp> before) {
        rows.ask(DELETE_CHALLENGE, id.toString(), before.map(Timestamp::text).orElse(""));
    }

    /** @param step the TOTP step of the accepted code; empty for a message */
    public void passed(UUID challenge, Instant now, String step) {
        rows.ask(PASSED, now.toString(), step, challenge.toString());
    }
}
