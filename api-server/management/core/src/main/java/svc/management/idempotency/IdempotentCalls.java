package svc.management.idempotency;

import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;
import svc.database.sql.SqlFragment;
import svc.postgres.Row;
import svc.postgres.jdbc.PlatformDatabase;

/** The rows of {@code svc_platform.idempotent_call}: claims on keys and answers. All instances share them. */
@ApplicationScoped
class IdempotentCalls {
    /** How long an answer is kept. */
    static final Duration KEPT = Duration.ofHours(24);

    /** Longer than any call takes: after it, a call whose process is gone counts as failed. */
    static final Duration LEASE = Duration.ofMinutes(10);

    /** Keys of one token, and of all tokens of an organisation. */
    static final int MAX_KEYS = 5_000;

    static final int MAX_KEYS_OF_ORGANIZATION = 20_000;

    /** Sealed bytes of one token's answers, and of all of an organisation's. */
    static final long MAX_BYTES = 16L << 20;

    static final long MAX_BYTES_OF_ORGANIZATION = 64L << 20;

    private static final SqlFragment CLAIM = SqlFragment.of(
            "INSERT INTO svc_platform.idempotent_call AS c (token_id, key_hash, organisation_id, call_hash, claim,"
                    + " started_at, expires_at) SELECT n.token_id, ?::bytea, n.organisation_id, ?::bytea,"
                    + " ?::uuid, ?::timestamptz, ?::timestamptz"
                    + " FROM (SELECT ?::uuid AS token_id, ?::text AS organisation_id) AS n"
                    + " WHERE (SELECT count(*) FROM (SELECT FROM svc_platform.idempotent_call AS o"
                    + " WHERE o.token_id = n.token_id LIMIT ?) AS own) < ?"
                    + " AND (SELECT count(*) FROM (SELECT FROM svc_platform.idempotent_call AS o"
                    + " WHERE o.organisation_id = n.organisation_id LIMIT ?) AS every) < ?"
                    + " ON CONFLICT (token_id, key_hash) DO UPDATE SET call_hash = excluded.call_hash,"
                    + " claim = excluded.claim, started_at = excluded.started_at, expires_at = excluded.expires_at,"
                    + " status = NULL, answer = NULL, bytes = 0 WHERE c.expires_at <= excluded.started_at");
    private static final SqlFragment FIND =
            SqlFragment.of("SELECT call_hash, status, answer, expires_at FROM svc_platform.idempotent_call"
                    + " WHERE token_id = ? AND key_hash = ?");
    private static final SqlFragment FINISH =
            SqlFragment.of("UPDATE svc_platform.idempotent_call AS c SET status = ?, expires_at = ?,"
                    + " answer = CASE WHEN f.fits THEN a.answer END,"
                    + " bytes = CASE WHEN f.fits THEN coalesce(octet_length(a.answer), 0) ELSE 0 END"
                    + " FROM (SELECT ?::bytea AS answer) AS a,"
                    + " LATERAL (SELECT coalesce(sum(o.bytes) FILTER (WHERE o.token_id = ?::uuid), 0)"
                    + " + coalesce(octet_length(a.answer), 0) <= ? AND coalesce(sum(o.bytes), 0)"
                    + " + coalesce(octet_length(a.answer), 0) <= ? AS fits"
                    + " FROM svc_platform.idempotent_call AS o WHERE o.organisation_id = ?) AS f"
                    + " WHERE c.token_id = ?::uuid AND c.key_hash = ? AND c.claim = ?");
    private static final SqlFragment RELEASE = SqlFragment.of(
            "DELETE FROM svc_platform.idempotent_call WHERE token_id = ? AND key_hash = ? AND claim = ?");
    private static final SqlFragment SWEEP_ORGANIZATION =
            SqlFragment.of("DELETE FROM svc_platform.idempotent_call WHERE organisation_id = ? AND expires_at <= ?");
    private static final SqlFragment SWEEP =
            SqlFragment.of("DELETE FROM svc_platform.idempotent_call WHERE ctid = ANY (ARRAY("
                    + "SELECT ctid FROM svc_platform.idempotent_call WHERE expires_at <= ? LIMIT ?"
                    + " FOR UPDATE SKIP LOCKED))");

    private final PlatformDatabase database;
    private final Clock clock;

    IdempotentCalls(PlatformDatabase database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    /** What a key is at the time of a call. */
    sealed interface State {
        /** The call has the key now and runs. */
        record Claimed() implements State {}

        /** Another call has the key. */
        record Other() implements State {}

        /** The same call runs. */
        record Running() implements State {}

        /** @param sealed empty for an answer that is not kept */
        record Done(Optional<byte[]> sealed) implements State {}

        /** The token or its organisation has as many keys as it may have. */
        record Full() implements State {}
    }

    private record Known(byte[] callHash, boolean done, Optional<byte[]> sealed, Instant expiresAt) {}

    /** Takes the key for a call, if it is free. Of calls at the same moment one has it. */
    State claim(KeyedCall call) {
        // Twice: a key may become free between the two statements, and places by the removal of expired ones.
        return tried(call)
                .or(() -> {
                    database.update(SWEEP_ORGANIZATION, call.by().organization(), clock.instant());
                    return tried(call);
                })
                .orElseGet(State.Full::new);
    }

    private Optional<State> tried(KeyedCall call) {
        Instant now = clock.instant();
        UUID token = call.by().tokenId();
        int claimed = database.update(
                CLAIM,
                call.keyHash(),
                call.callHash(),
                call.claim(),
                now,
                now.plus(LEASE),
                token,
                call.by().organization(),
                MAX_KEYS,
                MAX_KEYS,
                MAX_KEYS_OF_ORGANIZATION,
                MAX_KEYS_OF_ORGANIZATION);
        if (claimed == 1) {
            return Optional.of(new State.Claimed());
        }
        return database.queryOne(FIND, IdempotentCalls::read, token, call.keyHash())
                .filter(known -> known.expiresAt().isAfter(now))
                .map(known -> state(known, call));
    }

    private static Known read(Row row) {
        return new Known(
                row.bytes("call_hash"),
                row.optional("status", Long.class).isPresent(),
                row.optional("answer", byte[].class),
                row.instant("expires_at"));
    }

    private static State state(Known known, KeyedCall call) {
        if (!Arrays.equals(known.callHash(), call.callHash())) {
            return new State.Other();
        }
        return known.done() ? new State.Done(known.sealed()) : new State.Running();
    }

    /**
     * Keeps the answer of a call that succeeded; without its content where there is no place for it.
     *
     * @param sealed empty for an answer that is not kept
     */
    void finish(KeyedCall call, int status, Optional<byte[]> sealed) {
        database.update(
                FINISH,
                status,
                clock.instant().plus(KEPT),
                sealed.orElse(null),
                call.by().tokenId(),
                MAX_BYTES,
                MAX_BYTES_OF_ORGANIZATION,
                call.by().organization(),
                call.by().tokenId(),
                call.keyHash(),
                call.claim());
    }

    /** Frees the key of a call that was refused or failed. */
    void release(KeyedCall call) {
        database.update(RELEASE, call.by().tokenId(), call.keyHash(), call.claim());
    }

    /** Deletes expired rows and returns how many, at most {@code limit}. */
    int sweep(int limit) {
        return database.update(SWEEP, clock.instant(), limit);
    }
}
