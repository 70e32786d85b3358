package svc.database.key;

import java.util.HexFormat;

/**
 * The channel on which a shared database tells of schema changes. PostgreSQL has no privilege for LISTEN and NOTIFY, so
 * the name is all that keeps tenants out; what arrives on it is a hint all the same, never a fact.
 */
public final class ChannelName {
    private static final int BYTES = 16;

    private ChannelName() {}

    /** {@code svc_} and 32 hex digits, from the platform's leaf of {@link Purpose#CHANNEL}. */
    public static String of(DerivedKey leaf) {
        if (leaf.purpose() != Purpose.CHANNEL) {
            throw new IllegalArgumentException("no channel name is made of " + leaf.purpose());
        }
        return "svc_" + HexFormat.of().formatHex(leaf.material("channel-name", BYTES));
    }
}
