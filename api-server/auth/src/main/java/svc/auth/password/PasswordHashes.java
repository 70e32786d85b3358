package svc.auth.password;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bouncycastle.crypto.generators.OpenBSDBCrypt;

/**
 * Hashes and verifies passwords: argon2id in PHC form, by default with OWASP's cost, and bcrypt of imports from Supabase. At
 * most one computation per processor runs at once: each takes a whole processor and 19 MiB.
 */
public final class PasswordHashes {
    private static final int LANES = 1;
    private static final int HASH_BYTES = 32;
    private static final int SALT_BYTES = 16;
    private static final Pattern BCRYPT = Pattern.compile("\\$2[aby]\\$([0-9]{2})\\$[./A-Za-z0-9]{53}");
    private static final int MIN_ROUNDS = 4;

    /** A higher cost in an imported hash would let one user exhaust the processors. */
    private static final int MAX_ROUNDS = 14;

    private static final SecureRandom RANDOM = new SecureRandom();

    private final Semaphore permits = new Semaphore(Runtime.getRuntime().availableProcessors(), true);
    private final Cost cost;
    private final String dummy;

    /** With the cost of OWASP's Password Storage Cheat Sheet. */
    public PasswordHashes() {
        this(new Cost(19 * 1024, 2));
    }

    /** @param cost of new hashes */
    public PasswordHashes(Cost cost) {
        this.cost = cost;
        this.dummy = hash("nobody has this password");
    }

    /** Parameters of argon2id, with one lane. */
    public record Cost(int memoryKib, int iterations) {}

    public String hash(String password) {
        byte[] salt = new byte[SALT_BYTES];
        RANDOM.nextBytes(salt);
        return guarded(() -> Argon2Hash.of(password, cost.memoryKib(), cost.iterations(), LANES, salt, HASH_BYTES)
                .text());
    }

    /**
     * Whether the password matches the hash. Without a hash a dummy is verified, so that the time of the answer does not reveal
     * whether the account exists.
     */
    public boolean matches(String password, Optional<String> hash) {
        Optional<String> known = hash.filter(PasswordHashes::isKnown);
        return guarded(() -> check(password, known.orElse(dummy))) && known.isPresent();
    }

    /** Whether the hash has another cost than new ones: it is replaced at the next sign-in. */
    public boolean isOld(String hash) {
        return Argon2Hash.read(hash)
                .filter(read -> read.costsLike(cost.memoryKib(), cost.iterations(), LANES))
                .isEmpty();
    }

    /** Whether the form of a hash is supported, and its cost not above the maximum. */
    public static boolean isKnown(String hash) {
        Matcher bcrypt = BCRYPT.matcher(hash);
        if (bcrypt.matches()) {
            int rounds = Integer.parseInt(bcrypt.group(1));
            return rounds >= MIN_ROUNDS && rounds <= MAX_ROUNDS;
        }
        return Argon2Hash.read(hash).isPresent();
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

    private <T> T guarded(Supplier<T> work) {
        permits.acquireUninterruptibly();
        try {
            return work.get();
        } finally {
            permits.release();
        }
    }
}
