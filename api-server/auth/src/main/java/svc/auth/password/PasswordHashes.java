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
 * Passwords as they are kept: argon2id in PHC form, by default of the cost that OWASP asks for; and bcrypt, as imports from Supabase bring it.
 * As many are computed at once as there are processors: each takes all of one, and 19 MiB.
 */
public final class PasswordHashes {
    private static final int LANES = 1;
    private static final int HASH_BYTES = 32;
    private static final int SALT_BYTES = 16;
    private static final Pattern BCRYPT = Pattern.compile("\\$2[aby]\\$([0-9]{2})\\$[./A-Za-z0-9]{53}");
    private static final int MIN_ROUNDS = 4;

    /** A higher cost in an imported hash would let one user occupy the processors. */
    private static final int MAX_ROUNDS = 14;

    private static final SecureRandom RANDOM = new SecureRandom();

    private final Semaphore computing = new Semaphore(Runtime.getRuntime().availableProcessors(), true);
    private final Cost cost;
    private final String nobodys;

    /** Of the cost that OWASP's cheat sheet on the storage of passwords asks for. */
    public PasswordHashes() {
        this(new Cost(19 * 1024, 2));
    }

    /** @param cost of the hashes that are made */
    public PasswordHashes(Cost cost) {
        this.cost = cost;
        this.nobodys = hash("nobody has this password");
    }

    /** What argon2id takes for a hash, with one lane. */
    public record Cost(int memoryKib, int iterations) {}

    public String hash(String password) {
        byte[] salt = new byte[SALT_BYTES];
        RANDOM.nextBytes(salt);
        return guarded(() -> Argon2Hash.of(password, cost.memoryKib(), cost.iterations(), LANES, salt, HASH_BYTES)
                .text());
    }

    /**
     * Whether the password is the one that was hashed. Without a hash the same work is done for nothing, so that the time of
     * an answer does not tell whether there is an account.
     */
    public boolean matches(String password, Optional<String> hash) {
        Optional<String> known = hash.filter(PasswordHashes::isKnown);
        return guarded(() -> check(password, known.orElse(nobodys))) && known.isPresent();
    }

    /** Whether it should be hashed anew when its password is at hand. */
    public boolean isOld(String hash) {
        return Argon2Hash.read(hash)
                .filter(read -> read.costsLike(cost.memoryKib(), cost.iterations(), LANES))
                .isEmpty();
    }

    /** Whether it is a hash that passwords can be compared with, and one that costs no more than it may. */
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
        // bcrypt knows no more than 72 bytes, and nobody's password is longer.
        byte[] bytes = password.getBytes(StandardCharsets.UTF_8);
        return bytes.length <= PasswordRules.MAX_BYTES && OpenBSDBCrypt.checkPassword(hash, bytes);
    }

    private <T> T guarded(Supplier<T> work) {
        computing.acquireUninterruptibly();
        try {
            return work.get();
        } finally {
            computing.release();
        }
    }
}
