package svc.auth.password;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Optional;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.params.Argon2Parameters;

/**
 * An argon2 hash in PHC form, {@code $argon2id$v=19$m=19456,t=2,p=1$salt$hash} (RFC 9106).
 *
 * @param memory in KiB
 */
record Argon2Hash(int type, int memory, int iterations, int lanes, byte[] salt, byte[] hash) {
    private static final Pattern PHC =
            Pattern.compile("\\$argon2(id|i)\\$v=19\\$m=([0-9]{1,7}),t=([0-9]{1,3}),p=([0-9]{1,2})"
                    + "\\$([A-Za-z0-9+/]{11,86})\\$([A-Za-z0-9+/]{21,86})");

    /** KiB. A higher cost in an imported hash would exhaust memory and processors that all projects share. */
    private static final int MAX_MEMORY = 64 * 1024;

    /** KiB times passes, which the time is proportional to: as long as bcrypt at its maximum. */
    private static final int MAX_WORK = 4 * MAX_MEMORY;

    private static final int MAX_ITERATIONS = 10;
    private static final int MAX_LANES = 16;

    /** Empty for another text, and for a hash above the maximum cost. */
    static Optional<Argon2Hash> read(String text) {
        Matcher phc = PHC.matcher(text);
        if (!phc.matches()) {
            return Optional.empty();
        }
        try {
            var read = new Argon2Hash(
                    phc.group(1).equals("id") ? Argon2Parameters.ARGON2_id : Argon2Parameters.ARGON2_i,
                    Integer.parseInt(phc.group(2)),
                    Integer.parseInt(phc.group(3)),
                    Integer.parseInt(phc.group(4)),
                    Base64.getDecoder().decode(phc.group(5)),
                    Base64.getDecoder().decode(phc.group(6)));
            return Optional.of(read).filter(Argon2Hash::isAffordable);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    static PasswordHashes.Judgement judge(String text) {
        if (!PHC.matcher(text).matches()) {
            return PasswordHashes.Judgement.UNKNOWN_FORM;
        }
        return read(text).isPresent() ? PasswordHashes.Judgement.ACCEPTED : PasswordHashes.Judgement.TOO_COSTLY;
    }

    private boolean isAffordable() {
        return memory <= MAX_MEMORY
                && (long) memory * iterations <= MAX_WORK
                && memory >= 8 * lanes
                && iterations >= 1
                && iterations <= MAX_ITERATIONS
                && lanes >= 1
                && lanes <= MAX_LANES;
    }

    /** Hashes a password with these parameters. */
    static Argon2Hash of(String password, int memory, int iterations, int lanes, byte[] salt, int bytes) {
        var parameters = new Argon2Hash(Argon2Parameters.ARGON2_id, memory, iterations, lanes, salt, new byte[bytes]);
        return new Argon2Hash(parameters.type, memory, iterations, lanes, salt, parameters.computed(password));
    }

    boolean matches(String password) {
        return MessageDigest.isEqual(hash, computed(password));
    }

    private byte[] computed(String password) {
        var generator = new Argon2BytesGenerator();
        generator.init(new Argon2Parameters.Builder(type)
                .withVersion(Argon2Parameters.ARGON2_VERSION_13)
                .withMemoryAsKB(memory)
                .withIterations(iterations)
                .withParallelism(lanes)
                .withSalt(salt)
                .build());
        byte[] result = new byte[hash.length];
        generator.generateBytes(password.getBytes(StandardCharsets.UTF_8), result);
        return result;
    }

    String text() {
        Base64.Encoder base64 = Base64.getEncoder().withoutPadding();
        return "$argon2" + (type == Argon2Parameters.ARGON2_id ? "id" : "i") + "$v=19$m=" + memory + ",t=" + iterations
                + ",p=" + lanes + "$" + base64.encodeToString(salt) + "$" + base64.encodeToString(hash);
    }

    /** Whether it has these parameters. */
    boolean costsLike(int otherMemory, int otherIterations, int otherLanes) {
        return type == Argon2Parameters.ARGON2_id
                && memory == otherMemory
                && iterations == otherIterations
                && lanes == otherLanes;
    }
}
