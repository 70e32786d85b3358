package svc.e2e.mutated;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;
import svc.e2e.mutated.Draft.Framing;

/** Mistakes in bodies, and in what tells their end. */
final class BodyMutations {
    /** What stands for a value in JSON. Texts are matched without recursion: a body may be one of a hundred thousand. */
    private static final Pattern VALUE = Pattern.compile(
            "(?<=[:\\[,])\\s*(\"(?:[^\"\\\\]++|\\\\.)*+\"|-?[0-9.]+|true|false|null|\\{[^{}]*}|\\[[^\\[\\]]*])");

    private static final Pattern KEY = Pattern.compile("\"([^\"\\\\]*)\"(?=\\s*:)");

    private static final List<String> VALUES = List.of(
            "null",
            "true",
            "0",
            "-1",
            "1.5",
            "1e999",
            "1e999999",
            "-0",
            "99999999999999999999999999",
            "9".repeat(2_000),
            "\"\"",
            "\" \"",
            "\"\\u0000\"",
            "\"a\\u0000b\"",
            "\"\\ud800\"",
            "\"\\udc00\\ud800\"",
            "\"\\uffff\"",
            "\"\u00ff\"",
            "\"" + "x".repeat(20_000) + "\"",
            "[]",
            "{}",
            "[[]]",
            "[null]",
            "{\"\":null}",
            "{\"a\":{\"a\":{\"a\":1}}}",
            "[1,\"2\",{}]",
            "\"null\"",
            "\"2026-13-45\"",
            "\"+99999-01-01T00:00:00Z\"",
            "\"+999999999-12-31T23:59:59Z\"",
            "\"-4000-01-01T00:00:00Z\"",
            "1e15",
            "\"' OR 1=1 --\"",
            "\"../../etc\"",
            "\"\\r\\nX-Injected: 1\"",
            "\"x@\"",
            "\"@\"",
            "\"a@b@c\"",
            "\"\\\"a b\\\"@example.com\"",
            "\"+\"",
            "\"a@\\u00e9xample.com\"",
            "\"P1D\"",
            "\"-1h\"",
            "\"http://[\"",
            "\"javascript:x\"",
            "\"\\u202e\"",
            "\"\\ud83d\\ude00\"",
            "NaN",
            "undefined",
            "'x'",
            "\"\\x\"",
            "\"\\u12\"",
            "01",
            "+1",
            ".5",
            "1.",
            "0x10",
            "\"\t\"",
            "//c\n1",
            "[".repeat(1_200) + "]".repeat(1_200),
            "{\"a\":".repeat(1_100) + "1" + "}".repeat(1_100),
            "[" + "1,".repeat(4_000) + "1]");

    private static final List<String> KEYS = List.of(
            "",
            "\\u0000",
            "\\ud800",
            "__proto__",
            "constructor",
            "a".repeat(3_000),
            "id",
            "name",
            "email",
            "phone",
            "password",
            "\u00ff",
            "a.b",
            "a->b",
            "A",
            " ",
            "query",
            "files",
            "data",
            "user_metadata",
            "app_metadata",
            "role",
            "auth",
            "rest");

    private static final List<byte[]> BYTES = List.of(
            new byte[] {(byte) 0xff},
            new byte[] {0},
            new byte[] {(byte) 0xc0, (byte) 0xaf},
            new byte[] {(byte) 0xed, (byte) 0xa0, (byte) 0x80},
            new byte[] {(byte) 0xef, (byte) 0xbb, (byte) 0xbf},
            new byte[] {(byte) 0xf5, (byte) 0x80, (byte) 0x80, (byte) 0x80},
            new byte[] {'\n'},
            new byte[] {'"'},
            new byte[] {'}'},
            new byte[] {','});

    private static final List<String> WHOLE = List.of(
            "",
            " ",
            "null",
            "[]",
            "{}",
            "\"\"",
            "0",
            "[null]",
            "[[]]",
            "[{},{}]",
            "[1]",
            "{",
            "[",
            "}",
            "{}{}",
            "a=b&c=%zz",
            "a,b\n1,2,3\n\"",
            "id\n",
            "\n",
            "<x/>",
            "<?xml version=\"1.0\"?><!DOCTYPE x [<!ENTITY a SYSTEM \"file:///etc/passwd\">]><x>&a;</x>",
            "--x\r\n\r\n--x--\r\n",
            "\ufeff{}",
            "true",
            "[{\"a\":1},{\"b\":2}]",
            "{\"a\":1,\"a\":2}");

    private BodyMutations() {}

    static List<Mutation> all() {
        return List.of(
                BodyMutations::value,
                BodyMutations::value,
                BodyMutations::value,
                BodyMutations::value,
                BodyMutations::key,
                BodyMutations::bytes,
                BodyMutations::bytes,
                BodyMutations::cut,
                BodyMutations::whole,
                BodyMutations::encoding,
                BodyMutations::framing);
    }

    private static String text(Draft draft) {
        return new String(draft.body, StandardCharsets.UTF_8);
    }

    private static void value(Draft draft, Random random) {
        replace(draft, random, VALUE, VALUES);
    }

    private static void key(Draft draft, Random random) {
        replace(draft, random, KEY, KEYS.stream().map(key -> "\"" + key + "\"").toList());
    }

    private static void replace(Draft draft, Random random, Pattern pattern, List<String> replacements) {
        String text = text(draft);
        List<int[]> found = pattern.matcher(text)
                .results()
                .map(match -> new int[] {match.start(), match.end()})
                .toList();
        if (!found.isEmpty()) {
            int[] at = found.get(random.nextInt(found.size()));
            String with = replacements.get(random.nextInt(replacements.size()));
            draft.body = (text.substring(0, at[0]) + with + text.substring(at[1])).getBytes(StandardCharsets.UTF_8);
        }
    }

    private static void bytes(Draft draft, Random random) {
        byte[] with = BYTES.get(random.nextInt(BYTES.size()));
        int at = random.nextInt(draft.body.length + 1);
        var changed = new ByteArrayOutputStream();
        changed.write(draft.body, 0, at);
        changed.writeBytes(with);
        changed.write(draft.body, at, draft.body.length - at);
        draft.body = changed.toByteArray();
    }

    private static void cut(Draft draft, Random random) {
        draft.body = Arrays.copyOf(draft.body, random.nextInt(draft.body.length + 1));
    }

    private static void whole(Draft draft, Random random) {
        draft.body = WHOLE.get(random.nextInt(WHOLE.size())).getBytes(StandardCharsets.UTF_8);
    }

    private static void encoding(Draft draft, Random random) {
        switch (random.nextInt(4)) {
            case 0 -> draft.body = text(draft).getBytes(StandardCharsets.UTF_16);
            case 1 -> draft.body = text(draft).getBytes(StandardCharsets.UTF_16LE);
            case 2 -> draft.framing = Framing.CHUNKED;
            default -> {
                draft.set("Content-Encoding", "gzip");
                draft.body = zipped(draft.body);
            }
        }
    }

    private static byte[] zipped(byte[] plain) {
        var out = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(out)) {
            gzip.write(plain);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    /** None of them leaves the server waiting for more: that is what the tests of deadlines do. */
    private static void framing(Draft draft, Random random) {
        draft.framing = Framing.AS_IT_IS;
        draft.isLast();
        switch (random.nextInt(12)) {
            case 0 -> draft.add("Content-Length", "-1");
            case 1 -> draft.add("Content-Length", "x");
            case 2 -> draft.add("Content-Length", "99999999999999999999");
            case 3 -> draft.add("Content-Length", "99999999999");
            case 4 -> draft.add("Content-Length", "+0");
            case 5 -> {
                draft.add("Content-Length", "0");
                draft.add("Content-Length", Integer.toString(draft.body.length));
            }
            case 6 -> {
                draft.add("Content-Length", "5");
                chunked(draft, "0\r\n\r\n");
            }
            case 7 -> chunked(draft, "zz\r\nx\r\n0\r\n\r\n");
            case 8 -> chunked(draft, "ffffffffffffffffff\r\nx\r\n0\r\n\r\n");
            case 9 -> chunked(draft, "1;a=\"b\r\nx\r\n0\r\nX-Trailer: a\r\n\r\n");
            case 10 -> chunked(draft, "1\r\nxyz\r\n0\r\n\r\n");
            default -> {
                draft.add("Transfer-Encoding", "gzip, chunked, nothing");
                draft.body = new byte[0];
            }
        }
    }

    private static void chunked(Draft draft, String body) {
        draft.add("Transfer-Encoding", "chunked");
        draft.body = body.getBytes(StandardCharsets.US_ASCII);
    }
}
