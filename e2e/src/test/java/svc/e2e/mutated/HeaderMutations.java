package svc.e2e.mutated;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Base64;
import java.util.List;
import java.util.Random;
import svc.e2e.mutated.Draft.Header;

/** Mistakes in headers. */
final class HeaderMutations {
    private static final List<Header> HEADERS = List.of(
            h("Accept", ""),
            h("Accept", "text/html"),
            h("Accept", "*/*;q=0"),
            h("Accept", "application/json;q=abc"),
            h("Accept", ",,,"),
            h("Accept", "application/vnd.pgrst.object+json"),
            h("Accept", "application/vnd.pgrst.plan; options=x"),
            h("Accept", "a/b/c;;="),
            h("Accept", "text/csv"),
            h("Accept", "application/octet-stream"),
            h("Accept", "application/openapi+json;version=9"),
            h("Accept", "text/event-stream"),
            h("Accept", "\u00ff/\u00fe"),
            h("Accept", "application/json; charset=\"utf-8"),
            h("Accept-Profile", "pg_catalog"),
            h("Accept-Profile", ""),
            h("Accept-Profile", "public, auth"),
            h("Content-Profile", "auth"),
            h("Content-Profile", "\u00e9"),
            h("Content-Profile", "proj_00000000000000000000000000000000"),
            h("Range", "0-"),
            h("Range", "5-2"),
            h("Range", "bytes=0-1,5-9"),
            h("Range", "99999999999999999999-"),
            h("Range", "-1"),
            h("Range-Unit", "x"),
            h("Range", "abc"),
            h("Prefer", "return=nothing"),
            h("Prefer", "handling=strict, x=y"),
            h("Prefer", "timezone=Nowhere/City"),
            h("Prefer", "timezone='"),
            h("Prefer", "count=exact, count=planned"),
            h("Prefer", "max-affected=-1, handling=strict"),
            h("Prefer", "tx=rollback"),
            h("Prefer", "missing=default, return=representation"),
            h("Prefer", "resolution=merge-duplicates"),
            h("Prefer", ";;==,,"),
            h("Prefer", "params=single-object"),
            h("Content-Type", ""),
            h("Content-Type", "application/json; charset=utf-16"),
            h("Content-Type", "application/json; charset=nothing"),
            h("Content-Type", "text/csv"),
            h("Content-Type", "text/xml"),
            h("Content-Type", "application/x-www-form-urlencoded"),
            h("Content-Type", "multipart/form-data"),
            h("Content-Type", "multipart/form-data; boundary=x"),
            h("Content-Type", "application/octet-stream"),
            h("Content-Type", "json"),
            h("Content-Type", "application/json;;;"),
            h("Content-Type", "/"),
            h("Content-Type", "application/\u00ff"),
            h("Content-Type", "a/b; charset=\""),
            h("Content-Type", "application/vnd.api+json"),
            h("Content-Encoding", "gzip"),
            h("Content-Encoding", "br, gzip"),
            h("Content-Encoding", "nothing"),
            h("Accept-Encoding", "gzip;q=abc"),
            h("Accept-Encoding", "gzip"),
            h("Accept-Encoding", "*;q=0"),
            h("Accept-Charset", "x"),
            h("Accept-Language", "\u00ff"),
            h("If-None-Match", "*"),
            h("If-None-Match", "\"x"),
            h("If-Match", "*"),
            h("If-Modified-Since", "yesterday"),
            h("X-Request-Id", "a b"),
            h("X-Request-Id", "\u00ff"),
            h("X-Request-Id", "x".repeat(500)),
            h("X-Forwarded-For", "1.2.3.4, , ::1, x"),
            h("X-Forwarded-For", "\u00ff"),
            h("X-Forwarded-For", ",".repeat(3_000)),
            h("X-Forwarded-Host", "evil.example\""),
            h("X-Forwarded-Proto", "gopher"),
            h("X-Forwarded-Port", "-1"),
            h("Forwarded", "for=\"[::1\";x"),
            h("X-Forwarded-Prefix", "/%00"),
            h("X-Http-Method-Override", "DELETE"),
            h("X-Supabase-Api-Version", "yesterday"),
            h("X-Supabase-Api-Version", "9999-99-99"),
            h("Idempotency-Key", "\u00ff".repeat(300)),
            h("traceparent", "00-zz-zz-01"),
            h("traceparent", "\u00ff"),
            h("baggage", "=,=;"),
            h("Cookie", "a=b; c; =d; \u00ff"),
            h("Cookie", "a=\"" + "x".repeat(3_000)),
            h("Origin", "null"),
            h("Origin", "\u00ff"),
            h("Access-Control-Request-Method", "\u00ff"),
            h("Access-Control-Request-Method", "GET"),
            h("Access-Control-Request-Headers", "a,\u00ff,,b c"),
            h("Expect", "100-continue"),
            h("Expect", "nothing"),
            h("TE", "trailers"),
            h("Max-Forwards", "x"),
            h("Upgrade", "nothing"),
            h("X-Region", "\u00ff"),
            h("x-client-info", "\u00ff"),
            h("Date", "x"),
            h("User-Agent", ""),
            h("User-Agent", "x".repeat(4_000)),
            h("Connection", "keep-alive, x"),
            h("X-Upsert", "maybe"));

    private static final List<String> CREDENTIALS = List.of(
            "Bearer",
            "Bearer ",
            "Bearer  x",
            "bearer svc_pat_",
            "Bearer svc_pat_" + "x".repeat(60),
            "Bearer a.b.c",
            "Bearer ..",
            "Basic !!!!",
            "Basic Og==",
            "Bearer \u00ff",
            "Bearer a b c",
            "Negotiate x",
            "Bearer " + "x".repeat(7_000),
            "Bearer " + token("{\"alg\":\"none\"}", "{}"),
            "Bearer " + token("{\"alg\":\"ES256\",\"kid\":\"\\u0000\"}", "{\"exp\":1e999}"),
            "Bearer " + token("[]", "[]"),
            "Bearer " + token("{", "{"),
            "Bearer " + token("{\"alg\":\"HS256\",\"crit\":[\"x\"]}", "{\"role\":{\"a\":1}}"),
            "Bearer " + token("{\"alg\":5}", "null"),
            "Bearer " + token("[".repeat(3_000), "{}"));

    private static final List<String> HOSTS = List.of(
            "",
            "localhost",
            "api.localhost",
            "x",
            "evil.example",
            "zzzzzzzz.localhost",
            "..",
            "a b",
            "[::1",
            "x:99999999",
            "127.0.0.1:0",
            "\u00ff.localhost",
            "x.localhost.",
            "@",
            "127.0.0.1/..",
            "a.b.c.d.localhost",
            "x".repeat(300) + ".localhost",
            "xn--.localhost");

    private static final int TOO_LARGE = 70_000;

    private HeaderMutations() {}

    private static Header h(String name, String value) {
        return new Header(name, value);
    }

    private static String token(String header, String claims) {
        Base64.Encoder encoder = Base64.getUrlEncoder().withoutPadding();
        return encoder.encodeToString(header.getBytes(UTF_8)) + "." + encoder.encodeToString(claims.getBytes(UTF_8))
                + ".AAAA";
    }

    static List<Mutation> all() {
        return List.of(
                HeaderMutations::known,
                HeaderMutations::known,
                HeaderMutations::known,
                HeaderMutations::known,
                HeaderMutations::credential,
                HeaderMutations::host,
                HeaderMutations::twice,
                HeaderMutations::wrong);
    }

    private static void known(Draft draft, Random random) {
        Header header = HEADERS.get(random.nextInt(HEADERS.size()));
        if (random.nextInt(4) == 0) {
            draft.add(header.name(), header.value());
        } else {
            draft.set(header.name(), header.value());
        }
        if (header.name().equals("Upgrade")) {
            draft.set("Connection", "Upgrade");
            draft.isLast();
        }
    }

    private static void credential(Draft draft, Random random) {
        String credential = CREDENTIALS.get(random.nextInt(CREDENTIALS.size()));
        if (random.nextInt(3) == 0) {
            draft.set("apikey", credential.replace("Bearer ", ""));
        } else {
            draft.set("Authorization", credential);
        }
    }

    private static void host(Draft draft, Random random) {
        draft.set("Host", HOSTS.get(random.nextInt(HOSTS.size())));
    }

    private static void twice(Draft draft, Random random) {
        if (!draft.headers.isEmpty()) {
            draft.headers.add(draft.headers.get(random.nextInt(draft.headers.size())));
        }
    }

    /** Lines that are no headers, too many of them, or too long ones. */
    private static void wrong(Draft draft, Random random) {
        draft.isLast();
        switch (random.nextInt(12)) {
            case 0 -> draft.add("Two Words", "x");
            case 1 -> draft.add("", "x");
            case 2 -> draft.add("X-Nul", "a\0b");
            case 3 -> draft.add("X-Folded", "a\r\n b");
            case 4 -> draft.add("X-Return", "a\rb");
            case 5 -> draft.add("X-\u00ff", "x");
            case 6 -> draft.headers.removeIf(header -> header.name().equals("Host"));
            case 7 -> draft.add("Host", "second.localhost");
            case 8 -> draft.lineEnd = "\n";
            case 9 -> draft.add("X-Large", "x".repeat(TOO_LARGE));
            case 10 -> {
                for (int i = 0; i < 2_000; i++) {
                    draft.add("X-Header-" + i, "x".repeat(random.nextInt(60)));
                }
            }
            default -> draft.add("x".repeat(9_000), "x");
        }
    }
}
