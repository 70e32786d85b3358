package svc.auth.password;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.UUID;
import org.bouncycastle.crypto.generators.OpenBSDBCrypt;
import svc.auth.http.AuthError;

/**
 * Hashes and verifies passwords: argon2id in PHC form, by default with OWASP's cost, and bcrypt of imports from Supabase. Each
 * computation takes a whole processor and 19 MiB, and waits for its project's turn in a {@link HashingQueue}.
 */
public final class PasswordHashes {
    private static final int LANES = 1;
    private static final int HASH_BYTES = 32;
    private static final int SALT_BYTES = 16;
    private static final Pattern BCRYPT = Pattern.compile("\\$2[aby]\\$([0-9]{2})\\$[./A-Za-z0-9]{53}");
    private static final int MIN_ROUNDS = 4;

    /** A quarter of a second. A higher cost in an imported hash would let one user exhaust the processors. */
    private static final int MAX_ROUNDS = 12;

    private static final SecureRandom RANDOM = new SecureRandom();

    private final HashingQueue queue = new HashingQueue(HashingQueue.Bounds.ofThisMachine());
    private final Cost cost;
    private final String dummy;

    /** With the cost of OWASP's Password Storage Cheat Sheet. */
    public PasswordHashes() {
        this(new Cost(19 * 1024, 2));
    }

    /** @param cost of new hashes */
    public PasswordHashes(Cost cost) {
        this.cost = cost;
        this.dummy = compute("nobody has this password");
    }

    /** Parameters of argon2id, with one lane. */
    public record Cost(int memoryKib, int iterations) {}

    /** @throws AuthError of 503 when too many computations of the project, or of all, are waiting */
    public String hash(UUID project, String password) {
        return queue.run(project, () -> compute(password));
    }

    private String compute(String password) {
        byte[] salt = new byte[SALT_BYTES];
        RANDOM.nextBytes(salt);
        return Argon2Hash.of(password, cost.memoryKib(), cost.iterations(), LANES, salt, HASH_BYTES)
                .text();
    }

    /**
     * Whether the password matches the hash. Without a hash a dummy is verified, so that the time of the answer does not reveal
     * whether the account exists.
     *
     * @throws AuthError of 503 when too many computations of the project, or of all, are waiting
     */
    public boolean matches(UUID project, String password, Optional<String> hash) {
        Optional<String> known = hash.filter(text -> judge(text) == Judgement.ACCEPTED);
        return queue.run(project, () -> check(password, known.orElse(dummy))) && known.isPresent();
    }

    /** Whether the hash has another cost than new ones: it is replaced at the next sign-in. */
    public boolean isOld(String hash) {
        return Argon2Hash.read(hash)
                .filter(read -> read.costsLike(cost.memoryKib(), cost.iterations(), LANES))
                .isEmpty();
    }

    /** Whether a hash can be verified. */
    public enum Judgement {
        ACCEPTED,
        UNKNOWN_FORM,
        /** More than bcrypt's cost 12, or argon2 beyond the bounds of memory and passes. */
        TOO_COSTLY
    }

    public static Judgement judge(String hash) {
        Matcher bcrypt = BCRYPT.matcher(hash);
        if (bcrypt.matches()) {
            int rounds = Integer.parseInt(bcrypt.group(1));
            if (rounds < MIN_ROUNDS) {
                return Judgement.UNKNOWN_FORM;
            }
            return rounds <= MAX_ROUNDS ? Judgement.ACCEPTED : Judgement.TOO_COSTLY;
        }
        return Argon2Hash.judge(hash);
    }

    private static boolean check(String password, String hash) {
        Optional<Argon2Hash> argon2 = Argon2Hash.read(hash);
        if (argon2.isPresent()) {
            return argon2.get().matches(password);
        }
        // bcrypt ignores bytes after the 72nd, and no password may be longer.
        byte[] bytes = password.getBytes(StandardCharsets.UTF_8);
        return bytes.length <= PasswordRules.MAX_BYTES && OpenBSDBCrypt.checkPassword(hash, bytes);
    }
}
