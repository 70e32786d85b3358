package svc.rest.fuzz;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Changes requests that are right into ones that are almost right, repeatably: everything comes from one seed. */
final class Mutations {
    /** Longest text of one part; what is longer the HTTP server refuses before us. */
    private static final int MAX_LINE = 20_000;

    private static final int MAX_HEADER = 2_000;
    private static final int MAX_BODY = 150_000;

    private static final String ALPHABET = "().,:;!*-><&=\"'\\{}[]%$?|/# +_019azAZ\u00e9\u4e2d\u0000\u0001\u007f\u2028";

    /** Pieces that mean something to some reader on the way. */
    private static final List<String> PIECES = List.of(
            "'",
            "\"",
            "\\",
            "$1",
            "?",
            "$$",
            "--",
            "/*",
            "*/",
            ";",
            "::regclass",
            "::text",
            "(*)",
            "()",
            "->",
            "->>",
            "not.",
            "not.not.",
            "eq.",
            "is.null",
            "in.(",
            "or=(",
            "and(",
            "!inner",
            "...",
            "count()",
            ".sum()",
            "{",
            "}",
            "(any)",
            "[0]",
            "null",
            "NULL",
            "%00",
            "%",
            "%zz",
            "%C3",
            "%ED%A0%80",
            "\ud83d\ude00",
            "\u202e",
            "\ufeff",
            "1e999",
            "-0",
            "99999999999999999999",
            "NaN",
            "infinity",
            "\u0000",
            "{\"a\":",
            "[[[[",
            "]]",
            "true",
            ",,",
            "pg_catalog",
            "pg_sleep(1)",
            "(select 1)",
            "id",
            "clients",
            "projects",
            "tasks",
            "todo",
            "&",
            "=",
            "&&",
            ".");

    private static final List<String> METHODS =
            List.of("GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "OPTIONS", "TRACE", "LINK", "get", "QUERY");

    private static final List<List<String>> HEADERS = List.of(
            List.of("Prefer", "return=representation"),
            List.of("Prefer", "count=exact, handling=strict, max-affected=1, tx=rollback, timezone=Europe/Rome"),
            List.of("Prefer", "resolution=merge-duplicates, missing=default, return=headers-only, count=estimated"),
            List.of("Range", "0-9"),
            List.of("Range", "items=5-2"),
            List.of("Accept", "application/vnd.pgrst.object+json;nulls=stripped"),
            List.of("Accept", "text/csv;q=0.5, application/json;q=0.1, */*;q=0"),
            List.of("Accept", "application/vnd.pgrst.plan+text; for=\"application/json\"; options=analyze|verbose"),
            List.of("Accept", "application/geo+json"),
            List.of("Accept", "application/openapi+json;version=3.1"),
            List.of("Content-Type", "text/csv"),
            List.of("Content-Type", "application/x-www-form-urlencoded"),
            List.of("Content-Type", "application/json; charset=utf-8"),
            List.of("Content-Type", "application/octet-stream"),
            List.of("Accept-Profile", "public"),
            List.of("Content-Profile", "pg_catalog"),
            List.of("Authorization", "Bearer eyJhbGciOiJub25lIn0.e30."),
            List.of("X-Anything", "'; DROP TABLE clients; --"));

    private final Random random;
    private final List<FuzzRequest> valid;

    Mutations(long seed, List<FuzzRequest> valid) {
        this.random = new Random(seed);
        this.valid = valid;
    }

    /** The next request: one of the valid ones with one to four changes. */
    FuzzRequest next() {
        FuzzRequest request = valid.get(random.nextInt(valid.size()));
        for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
            request = changed(request);
        }
        return request;
    }

    private FuzzRequest changed(FuzzRequest request) {
        return switch (random.nextInt(20)) {
            case 0 -> request.withMethod(METHODS.get(random.nextInt(METHODS.size())));
            case 1 -> request.withPath("/" + encoded(text(decodedPath(request), 2_000), true));
            case 2, 3 -> header(request);
            case 4 -> request.withQuery(joined(request.query(), other().query()));
            case 5 -> request.withBody(other().body());
            case 6, 7, 8, 9 -> request.withBody(text(request.body(), MAX_BODY));
            default -> request.withQuery(encoded(text(request.query(), MAX_LINE), false));
        };
    }

    private FuzzRequest header(FuzzRequest request) {
        List<String> header = HEADERS.get(random.nextInt(HEADERS.size()));
        String value = random.nextBoolean() ? header.get(1) : text(header.get(1), MAX_HEADER);
        return request.with(header.get(0), value.replaceAll("[\\p{Cntrl}]", " ").strip());
    }

    private FuzzRequest other() {
        return valid.get(random.nextInt(valid.size()));
    }

    private static String joined(String one, String other) {
        String both = one + "&" + other;
        return both.length() > MAX_LINE ? one : both;
    }

    private static String decodedPath(FuzzRequest request) {
        return request.path().substring(1);
    }

    /** One change of a text: a character, a piece, a part of it again, or a part of it many times. */
    private String text(String text, int longest) {
        var changed = new StringBuilder(text);
        int at = random.nextInt(changed.length() + 1);
        int end = Math.min(changed.length(), at + 1 + random.nextInt(12));
        switch (random.nextInt(8)) {
            case 0 -> changed.delete(at, end);
            case 1 -> changed.insert(at, ALPHABET.charAt(random.nextInt(ALPHABET.length())));
            case 2 -> changed.replace(at, end, PIECES.get(random.nextInt(PIECES.size())));
            case 3 -> changed.insert(at, changed.substring(at, end).repeat(1 + random.nextInt(3)));
            case 4 -> changed.insert(at, many(longest));
            default -> changed.insert(at, PIECES.get(random.nextInt(PIECES.size())));
        }
        return changed.length() > longest ? changed.substring(0, longest) : changed.toString();
    }

    /** A piece many times, seldom very many: each of those costs as much as a hundred others. */
    private String many(int longest) {
        String piece = PIECES.get(random.nextInt(PIECES.size()));
        int most = random.nextInt(20) == 0 ? longest / 6 : 60;
        return piece.repeat(1 + random.nextInt(Math.max(1, most / piece.length())));
    }

    /** What HTTP cannot carry is percent-encoded; the rest stays half of the time, to be read as it is. */
    private String encoded(String text, boolean path) {
        boolean bare = random.nextBoolean();
        List<String> out = new ArrayList<>();
        text.codePoints().forEach(c -> {
            boolean control = c <= ' ' || c >= 127 || c == '#' || (path && (c == '?' || c == '/' && !bare));
            boolean kept = !control && (bare || "=&%.,()*:-_!".indexOf(c) >= 0 || Character.isLetterOrDigit(c));
            out.add(kept ? Character.toString(c) : URLEncoder.encode(Character.toString(c), StandardCharsets.UTF_8));
        });
        String line = String.join("", out);
        return line.length() > MAX_LINE ? line.substring(0, MAX_LINE) : line;
    }
}
