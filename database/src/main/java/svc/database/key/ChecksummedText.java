package svc.database.key;

import static java.util.Objects.requireNonNull;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.CRC32;

/**
 * Thirty-two bytes as text: a prefix that says what it is, 43 digits of base 62, and 6 more that are the CRC-32 of all
 * before them. Garbage and typing errors are distinguished from a wrong key without any derivation or database, and secret
 * scanners can recognise a real one. The checksum protects nothing against an attacker and is not meant to.
 *
 * @param prefix ASCII, ends with an underscore
 */
public record ChecksummedText(String prefix) {
    private static final String DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    private static final BigInteger BASE = BigInteger.valueOf(DIGITS.length());
    private static final int BODY = 43;
    private static final int CHECKSUM = 6;

    public ChecksummedText {
        requireNonNull(prefix, "prefix is null");
        if (!prefix.endsWith("_")) {
            throw new IllegalArgumentException("a prefix ends with an underscore");
        }
    }

    /** @param secret exactly 32 bytes */
    public String encode(byte[] secret) {
        if (secret.length != Derivation.KEY_BYTES) {
            throw new IllegalArgumentException("32 bytes are encoded, not " + secret.length);
        }
        String head = prefix + base62(new BigInteger(1, secret), BODY);
        return head + checksum(head);
    }

    /** Whether {@code text} has this prefix, the right length and digits, and a checksum that fits. */
    public boolean accepts(String text) {
        return decode(text).isPresent();
    }

    /** The 32 bytes in {@code text}; empty unless {@link #encode} gives exactly this text for them. */
    public Optional<byte[]> decode(String text) {
        if (text.length() != prefix.length() + BODY + CHECKSUM || !text.startsWith(prefix)) {
            return Optional.empty();
        }
        String head = text.substring(0, prefix.length() + BODY);
        if (!checksum(head).equals(text.substring(head.length()))) {
            return Optional.empty();
        }
        BigInteger value = BigInteger.ZERO;
        for (char c : head.substring(prefix.length()).toCharArray()) {
            int digit = DIGITS.indexOf(c);
            if (digit < 0) {
                return Optional.empty();
            }
            value = value.multiply(BASE).add(BigInteger.valueOf(digit));
        }
        if (value.bitLength() > 8 * Derivation.KEY_BYTES) {
            return Optional.empty();
        }
        return Optional.of(unsigned(value, Derivation.KEY_BYTES));
    }

    /** Big-endian, left-padded with zeros to {@code length} bytes. */
    static byte[] unsigned(BigInteger value, int length) {
        byte[] bytes = value.toByteArray();
        byte[] out = new byte[length];
        int from = Math.max(0, bytes.length - length);
        System.arraycopy(bytes, from, out, length - (bytes.length - from), bytes.length - from);
        Arrays.fill(bytes, (byte) 0);
        return out;
    }

    private static String checksum(String head) {
        CRC32 crc = new CRC32();
        crc.update(head.getBytes(StandardCharsets.UTF_8));
        return base62(BigInteger.valueOf(crc.getValue()), CHECKSUM);
    }

    private static String base62(BigInteger value, int length) {
        char[] out = new char[length];
        BigInteger rest = value;
        for (int i = length - 1; i >= 0; i--) {
            BigInteger[] quotient = rest.divideAndRemainder(BASE);
            out[i] = DIGITS.charAt(quotient[1].intValue());
            rest = quotient[0];
        }
        return new String(out);
    }
}
