package svc.management.postgres.value;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** PostgreSQL's binary format of numeric: groups of four decimal digits. */
final class BinaryNumeric {
    private static final int GROUP = 10_000;
    private static final int GROUP_DIGITS = 4;
    private static final int HEAD = 8;

    /** Digits that a value may have beyond those that are sent: its head alone can ask for 160,000 zeros. */
    private static final int MAX_ZEROS = 200;

    private static final int MAX_SCALE = 0x3FFF;

    private static final int POSITIVE = 0;
    private static final int NEGATIVE = 0x4000;
    private static final int NAN = 0xC000;
    private static final int PLUS_INFINITY = 0xD000;
    private static final int MINUS_INFINITY = 0xF000;
    private static final Set<Integer> SIGNS = Set.of(POSITIVE, NEGATIVE, NAN, PLUS_INFINITY, MINUS_INFINITY);

    private BinaryNumeric() {}

    static byte[] encode(String text) {
        switch (text) {
            case "NaN" -> {
                return head(0, 0, NAN, 0).array();
            }
            case "Infinity" -> {
                return head(0, 0, PLUS_INFINITY, 0).array();
            }
            case "-Infinity" -> {
                return head(0, 0, MINUS_INFINITY, 0).array();
            }
            default -> {
                return digits(text);
            }
        }
    }

    /** By the digits as they stand: arithmetic would take long for a value of 100,000 of them. */
    private static byte[] digits(String text) {
        boolean negative = text.startsWith("-");
        String plain = negative ? text.substring(1) : text;
        int point = plain.indexOf('.');
        String before = point < 0 ? plain : plain.substring(0, point);
        String behind = point < 0 ? "" : plain.substring(point + 1);
        String all = "0".repeat(Math.floorMod(-before.length(), GROUP_DIGITS))
                + before
                + behind
                + "0".repeat(Math.floorMod(-behind.length(), GROUP_DIGITS));
        int weight = (before.length() + GROUP_DIGITS - 1) / GROUP_DIGITS - 1;
        List<Short> groups = new ArrayList<>();
        for (int at = 0; at < all.length(); at += GROUP_DIGITS) {
            groups.add((short) Integer.parseInt(all, at, at + GROUP_DIGITS, 10));
        }
        int first = 0;
        while (first < groups.size() && groups.get(first) == 0) {
            first++;
        }
        int end = groups.size();
        while (end > first && groups.get(end - 1) == 0) {
            end--;
        }
        ByteBuffer out = head(end - first, end == first ? 0 : weight - first, negative ? NEGATIVE : 0, behind.length());
        groups.subList(first, end).forEach(out::putShort);
        return out.array();
    }

    private static ByteBuffer head(int groups, int weight, int sign, int scale) {
        return ByteBuffer.allocate(HEAD + 2 * groups)
                .putShort((short) groups)
                .putShort((short) weight)
                .putShort((short) sign)
                .putShort((short) scale);
    }

    static String decode(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        int groups = in.getShort() & 0xffff;
        int weight = in.getShort();
        int sign = in.getShort() & 0xffff;
        int scale = in.getShort() & 0xffff;
        check(in, groups, sign, scale);
        if (sign != POSITIVE && sign != NEGATIVE) {
            return sign == NAN ? "NaN" : sign == PLUS_INFINITY ? "Infinity" : "-Infinity";
        }
        int whole = Math.max(weight, 0) + 1;
        if (GROUP_DIGITS * whole + scale > GROUP_DIGITS * groups + MAX_ZEROS) {
            throw new IllegalArgumentException("a numeric of more zeros than are read here");
        }
        var digits = new StringBuilder(GROUP_DIGITS * whole + scale + GROUP_DIGITS);
        for (int place = whole - 1; place >= 0; place--) {
            group(in, groups, weight - place, digits);
        }
        String before = digits.toString().replaceFirst("^0+(?=\\d)", "");
        digits.setLength(0);
        for (int place = -1; digits.length() < scale; place--) {
            group(in, groups, weight - place, digits);
        }
        digits.setLength(scale);
        return (sign == NEGATIVE ? "-" : "") + before + (scale > 0 ? "." + digits : "");
    }

    /** All of it, as {@code numeric_recv} does: also the digits that are not shown, or that no number has. */
    private static void check(ByteBuffer in, int groups, int sign, int scale) {
        if (!SIGNS.contains(sign)) {
            throw InvalidValueException.format("invalid sign in external \"numeric\" value");
        }
        if (scale > MAX_SCALE) {
            throw InvalidValueException.format("invalid scale in external \"numeric\" value");
        }
        if (in.remaining() != 2 * groups) {
            throw InvalidValueException.format("invalid length in external \"numeric\" value");
        }
        for (int i = 0; i < groups; i++) {
            int digits = in.getShort(HEAD + 2 * i);
            if (digits < 0 || digits >= GROUP) {
                throw InvalidValueException.format("invalid digit in external \"numeric\" value");
            }
        }
    }

    /** Appends the four digits of a group; zeros for one that is not there. */
    private static void group(ByteBuffer in, int groups, int index, StringBuilder digits) {
        int value = index < 0 || index >= groups ? 0 : in.getShort(HEAD + 2 * index);
        for (int power = GROUP / 10; power > 0; power /= 10) {
            digits.append((char) ('0' + value / power % 10));
        }
    }
}
