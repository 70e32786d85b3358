package svc.management.migration;

import com.google.re2j.Pattern;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import svc.management.json.Body;
import svc.management.problem.DisplayName;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;

/**
 * A validated request for a migration. Pure.
 *
 * @param version empty for the time of the call
 * @param key the idempotency key
 * @param rollback what undoes it; not run now
 */
public record MigrationRequest(
        String query,
        Optional<String> name,
        Optional<String> version,
        Optional<String> key,
        boolean dryRun,
        Optional<String> rollback) {
    /** The most digits of a version: Supabase's command line takes any number of them. */
    static final int MAX_VERSION_LENGTH = 32;

    private static final Pattern VERSION = Pattern.compile("[0-9]{1," + MAX_VERSION_LENGTH + "}");

    /** Of a file of the longest name. */
    private static final int MAX_NAME_LENGTH = 255;

    /** In characters, as of a script. */
    private static final int MAX_ROLLBACK_LENGTH = 256 << 10;

    /** Printable ASCII, as in a header. */
    private static final Pattern KEY = Pattern.compile("[\\x21-\\x7e]([\\x20-\\x7e]{0,253}[\\x21-\\x7e])?");

    /**
     * @param key the header Idempotency-Key; null if there is none
     * @throws ProblemException 400 with a pointer to the first invalid field
     */
    public static MigrationRequest of(MigrationBody body, String key) {
        Body.required(body);
        Optional<String> version = Optional.ofNullable(body.version()).map(text -> checkedVersion(text, ""));
        if (key != null && !KEY.matcher(key).matches()) {
            throw Problem.of(
                            ProblemCode.INVALID_PARAMETER,
                            "The header Idempotency-Key has 1 to 255 printable ASCII characters.")
                    .asException();
        }
        return new MigrationRequest(
                MigrationText.required(body.query(), body.statements(), ""),
                Optional.ofNullable(body.name()).map(MigrationRequest::checkedName),
                version,
                Optional.ofNullable(key),
                Boolean.TRUE.equals(body.dryRun()),
                Optional.ofNullable(body.rollback()).map(MigrationRequest::checkedRollback));
    }

    static boolean isVersion(String text) {
        return VERSION.matcher(text).matches();
    }

    /**
     * A version, which orders as text, digit by digit, as in Supabase's history: 10 is before 9, and 009 before 010.
     *
     * @param pointer to what holds the field
     * @throws ProblemException 400
     */
    static String checkedVersion(String text, String pointer) {
        return checkedVersionAt(text, pointer + "/version");
    }

    /**
     * @param pointer to the field
     * @throws ProblemException 400
     */
    static String checkedVersionAt(String text, String pointer) {
        if (isVersion(text)) {
            return text;
        }
        String rule = "must be 1 to " + MAX_VERSION_LENGTH + " digits";
        throw Problem.of(ProblemCode.INVALID_BODY, "The field " + pointer + " " + rule + ".")
                .withError(pointer, rule)
                .withHint(
                        "By convention it is a UTC time, YYYYMMDDHHMMSS; if omitted, the time of the call. Migrations are"
                                + " ordered by it as text: 001, 002, 010.")
                .asException();
    }

    static String checkedName(String name) {
        return DisplayName.checked("The migration's", name, MAX_NAME_LENGTH);
    }

    /** @throws ProblemException 400 */
    static String checkedRollback(String sql) {
        if (sql.length() > MAX_ROLLBACK_LENGTH) {
            String rule = "must have at most " + MAX_ROLLBACK_LENGTH + " characters";
            throw Problem.of(ProblemCode.INVALID_BODY, "The field /rollback " + rule + ".")
                    .withError("/rollback", rule)
                    .asException();
        }
        return MigrationText.storable(sql, "/rollback");
    }

    /**
     * A file of a folder.
     *
     * @throws ProblemException 400 with a pointer to {@code /name}, as if the file were the body
     */
    static MigrationRequest ofFile(String query, Optional<String> name, String version) {
        return new MigrationRequest(
                query,
                name.map(MigrationRequest::checkedName),
                Optional.of(version),
                Optional.empty(),
                false,
                Optional.empty());
    }

    MigrationRequest withRollback(Optional<String> sql) {
        return new MigrationRequest(query, name, version, key, dryRun, sql);
    }

    /** Whether an earlier migration has the same content. */
    boolean matches(Migration earlier) {
        return Arrays.equals(hash(), earlier.requestHash());
    }

    /**
     * Its row in the history.
     *
     * @param attempt number of generated versions that were taken already
     */
    Migration begun(Instant now, int attempt, String databaseName, String transactionId) {
        return new Migration(
                UUID.randomUUID(),
                version.orElseGet(() -> Versions.at(now, attempt)),
                name,
                now.truncatedTo(ChronoUnit.MICROS),
                Optional.empty(),
                databaseName,
                transactionId,
                key,
                hash(),
                Optional.empty());
    }

    /** SHA-256 of the content, each part with its length; two calls with one key must have the same. */
    public byte[] hash() {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            Stream<Optional<String>> content = Stream.of(Optional.of(query), name, version);
            Stream.concat(content, rollback.stream().map(Optional::of)).forEach(part -> {
                byte[] bytes = part.orElse("").getBytes(StandardCharsets.UTF_8);
                digest.update(ByteBuffer.allocate(Integer.BYTES)
                        .putInt(part.isPresent() ? bytes.length : -1)
                        .flip());
                digest.update(bytes);
            });
            return digest.digest();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }
}
