package svc.database.key;

import static java.util.Objects.requireNonNull;

import java.util.HexFormat;

/**
 * 32 random bytes that a project gets when it is first claimed. Deleting a project forgets them, and with them every key
 * it ever had: the same project made again has other keys. Not secret by itself, because a key needs a root as well.
 *
 * @param hex 64 lower-case hex digits
 */
public record Incarnation(String hex) {
    public static final int BYTES = 32;

    public Incarnation {
        requireNonNull(hex, "hex is null");
        if (!hex.matches("[0-9a-f]{" + 2 * BYTES + "}")) {
            throw new IllegalArgumentException("an incarnation is " + 2 * BYTES + " lower-case hex digits");
        }
    }

    public static Incarnation of(byte[] bytes) {
        return new Incarnation(HexFormat.of().formatHex(bytes));
    }

    public byte[] bytes() {
        return HexFormat.of().parseHex(hex);
    }
}
