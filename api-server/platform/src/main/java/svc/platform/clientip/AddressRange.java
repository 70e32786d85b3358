package svc.platform.clientip;

import com.google.re2j.Pattern;
import io.netty.util.NetUtil;
import java.util.Arrays;
import java.util.Optional;

/**
 * The addresses that begin with the same bits.
 *
 * @param bits how many of them count
 */
record AddressRange(byte[] address, int bits) {
    private static final Pattern BITS = Pattern.compile("[0-9]{1,3}");

    /** @throws IllegalArgumentException when the text is neither an address nor a network */
    static AddressRange of(String text) {
        String[] parts = text.strip().split("/", -1);
        byte[] address =
                bytes(parts[0]).orElseThrow(() -> new IllegalArgumentException(text + " is not an IP address"));
        int all = address.length * Byte.SIZE;
        int bits = all;
        if (parts.length > 1) {
            bits = parts.length == 2 && BITS.matches(parts[1]) ? Integer.parseInt(parts[1]) : -1;
        }
        if (bits < 0 || bits > all) {
            throw new IllegalArgumentException(text + " is not a network such as 10.0.0.0/8");
        }
        return new AddressRange(address, bits);
    }

    boolean contains(byte[] other) {
        if (other.length != address.length) {
            return false;
        }
        int whole = bits / Byte.SIZE;
        if (!Arrays.equals(address, 0, whole, other, 0, whole)) {
            return false;
        }
        int rest = bits % Byte.SIZE;
        return rest == 0 || ((address[whole] ^ other[whole]) & 0xff) >> (Byte.SIZE - rest) == 0;
    }

    /** An address as it is written; never a name, so nothing is looked up. An IPv4 address within IPv6 is one of IPv4. */
    static Optional<byte[]> bytes(String text) {
        byte[] bytes = text.length() > 64 ? null : NetUtil.createByteArrayFromIpAddressString(text);
        return Optional.ofNullable(bytes).map(AddressRange::unmapped);
    }

    private static byte[] unmapped(byte[] bytes) {
        boolean mapped = bytes.length == 16
                && bytes[10] == -1
                && bytes[11] == -1
                && Arrays.equals(bytes, 0, 10, new byte[10], 0, 10);
        return mapped ? Arrays.copyOfRange(bytes, 12, 16) : bytes;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof AddressRange range && bits == range.bits && Arrays.equals(address, range.address);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(address) + bits;
    }
}
