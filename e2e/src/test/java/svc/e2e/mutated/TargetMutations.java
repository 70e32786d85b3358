package svc.e2e.mutated;

import java.util.List;
import java.util.Random;

/** Mistakes in the method, the path and the query. */
final class TargetMutations {
    private static final List<String> METHODS = List.of(
            "GET",
            "HEAD",
            "POST",
            "PATCH",
            "PUT",
            "OPTIONS",
            "TRACE",
            "CONNECT",
            "PROPFIND",
            "QUERY",
            "get",
            "Get",
            "M-SEARCH",
            "X".repeat(300));

    private static final List<String> SEGMENTS = List.of(
            "%00",
            "%2F",
            "%2e%2e",
            "..",
            ".",
            "%C0%AF",
            "%c3%28",
            "%ED%A0%80",
            "%F4%90%80%80",
            "%zz",
            "%",
            "%e",
            "%25",
            "\u00c3\u00a9",
            "\u00ff",
            "%E2%80%AE",
            "%F0%9F%98%80",
            "%0d%0aX-Injected:%201",
            "x'--",
            "\\",
            "..;",
            "a%20b",
            "+",
            "{ref}",
            "|",
            "^",
            "%5c..%5c",
            "*",
            "~",
            "-1",
            "0",
            "99999999999999999999",
            "null",
            "pg_catalog",
            "'",
            "%22",
            ";a=b",
            "@",
            "11111111-1111-4111-8111-111111111111",
            "todo",
            "list",
            "x".repeat(300),
            "%61".repeat(2_000));

    private static final List<String> QUERIES = List.of(
            "select=",
            "select=*",
            "select=id,,title",
            "select=list(",
            "select=list(*,todo(*))",
            "select=id::int[]",
            "select=info->>",
            "select=cost.sum()",
            "select=count()",
            "select=...list(name)",
            "select=%00",
            "order=",
            "order=id.desc.asc",
            "order=nothing",
            "order=info->a.desc",
            "limit=-1",
            "limit=abc",
            "limit=99999999999999999999",
            "limit=0",
            "offset=-5",
            "offset=1e9",
            "id=eq.",
            "id=eq.%00",
            "id=eq.abc",
            "id=in.(",
            "id=in.(1,2",
            "id=in.(\"1\",\"",
            "id=eq(any).{1,x}",
            "id=foo.1",
            "id=not.not.eq.1",
            "title=match.(",
            "title=match.(a*)*b",
            "title=like.%25%25",
            "title=ilike.*%00*",
            "title=eq.%ED%A0%80",
            "title=eq.%FF",
            "words=fts(nothing).x",
            "words=fts.%26%26",
            "or=()",
            "or=(id.eq.1",
            "or=(and(or(and(id.eq.1))))",
            "and=(id.eq.1,)",
            "not.and=(id.eq.1)",
            "span=cs.[",
            "span=adj.(1,2)",
            "tags=cs.{",
            "tags=cs.{a,{b}}",
            "info=cs.{",
            "info=cs.{\"a\":1e999}",
            "info->a->b->>c=eq.1",
            "info->0=eq.1",
            "mark=eq.xyz",
            "mark=is.null",
            "done=is.maybe",
            "due=gt.yesterday",
            "due=gt.-infinity",
            "due=gt.99999-01-01",
            "cost=eq.NaN",
            "cost=eq.1e400",
            "columns=id,id",
            "columns=",
            "columns=nothing",
            "on_conflict=nothing",
            "on_conflict=",
            "distinct=nothing",
            "having=(a.gt.1)",
            "todo.id=eq.1",
            "todo.select=id",
            "list.order=name",
            "a=b",
            "=",
            "&&&",
            "a",
            "a=%zz",
            "a=%",
            "a[]=1",
            "a=\u00ff",
            "\u00e9=eq.1",
            "%00=eq.1",
            "apikey=",
            "apikey=x",
            "apikey=%00",
            "a=b;c=d",
            "?",
            "#",
            "page=-1&per_page=0",
            "page=99999999999999999999",
            "per_page=abc",
            "grant_type=",
            "grant_type=nothing",
            "type=",
            "type=%00",
            "redirect_to=javascript:alert(1)",
            "redirect_to=//evil.example",
            "redirect_to=%0d%0aX-Injected:%201",
            "redirect_to=http://[",
            "code=%00&state=%00",
            "state=" + "s".repeat(5_000),
            "provider=%00",
            "provider=",
            "reveal=maybe",
            "limit=2&limit=x",
            "cursor=%00",
            "since=never",
            "before=%00",
            "follow=yes",
            "slug=%00",
            "name=..",
            "vsn=9",
            "a=" + "b".repeat(9_000),
            "select=" + "id,".repeat(2_000),
            "id=in.(" + "1,".repeat(3_000) + "1)",
            "or=" + "(and".repeat(60),
            "select=" + "list(".repeat(40));

    private static final List<String> VALUES = List.of(
            "",
            "-1",
            "0",
            "99999999999999999999",
            "1e9",
            "abc",
            "%00",
            "%FF",
            "%ED%A0%80",
            "null",
            "true",
            "%27",
            "..",
            "*",
            "{}",
            "()",
            "%2B999999999-12-31T23:59:59Z",
            "%2B294277-01-01T00:00:00Z",
            "-4713-01-01T00:00:00Z",
            "2026-02-30T00:00:00Z",
            "2026-01-01T00:00:00Z",
            "%F0%9F%98%80",
            "a".repeat(5_000),
            "11111111-1111-4111-8111-111111111111",
            "%0d%0aX-Injected:%201");

    /** Over every limit of a request line. */
    private static final int TOO_LONG = 70_000;

    private static final int SELDOM = 200;

    private TargetMutations() {}

    static List<Mutation> all() {
        return List.of(
                TargetMutations::method,
                TargetMutations::segment,
                TargetMutations::segment,
                TargetMutations::query,
                TargetMutations::query,
                TargetMutations::query,
                TargetMutations::query,
                TargetMutations::value,
                TargetMutations::value,
                TargetMutations::characters,
                TargetMutations::characters,
                TargetMutations::form);
    }

    private static void method(Draft draft, Random random) {
        draft.method = METHODS.get(random.nextInt(METHODS.size()));
        if (draft.method.equals("CONNECT")) {
            draft.isLast();
        }
    }

    private static void segment(Draft draft, Random random) {
        int query = draft.target.indexOf('?');
        String path = query < 0 ? draft.target : draft.target.substring(0, query);
        String rest = query < 0 ? "" : draft.target.substring(query);
        int slash = path.indexOf('/', random.nextInt(path.length()));
        int begin = slash < 0 ? path.lastIndexOf('/') + 1 : slash + 1;
        int next = path.indexOf('/', begin);
        int end = next < 0 ? path.length() : next;
        String with = SEGMENTS.get(random.nextInt(SEGMENTS.size()));
        String changed = switch (random.nextInt(4)) {
            case 0 -> path.substring(0, begin) + path.substring(end);
            case 1 -> path.substring(0, end) + with + path.substring(end);
            case 2 -> path.substring(0, begin) + with + "/" + path.substring(begin);
            default -> path.substring(0, begin) + with + path.substring(end);
        };
        draft.target = (changed.startsWith("/") ? changed : "/" + changed) + rest;
    }

    private static void query(Draft draft, Random random) {
        String part = QUERIES.get(random.nextInt(QUERIES.size()));
        draft.target += (draft.target.indexOf('?') < 0 ? '?' : '&') + part;
        if (part.length() > TOO_LONG) {
            draft.isLast();
        }
    }

    /** Another value of a parameter that is there. */
    private static void value(Draft draft, Random random) {
        int question = draft.target.indexOf('?');
        if (question < 0) {
            return;
        }
        String[] parts = draft.target.substring(question + 1).split("&", -1);
        int at = random.nextInt(parts.length);
        parts[at] = parts[at].split("=", 2)[0] + "=" + VALUES.get(random.nextInt(VALUES.size()));
        draft.target = draft.target.substring(0, question + 1) + String.join("&", parts);
    }

    /** One character, bytes beyond ASCII included, somewhere behind the first slash. */
    private static void characters(Draft draft, Random random) {
        var target = new StringBuilder(draft.target);
        int at = 1 + random.nextInt(target.length());
        char any = (char) ('!' + random.nextInt(0xff - '!'));
        if (at < target.length() && random.nextBoolean()) {
            target.setCharAt(at, any);
        } else {
            target.insert(at, any);
        }
        draft.target = target.toString();
    }

    /** Forms of the request line that few clients send. */
    private static void form(Draft draft, Random random) {
        switch (random.nextInt(8)) {
            case 0 -> draft.target = "http://127.0.0.1" + draft.target;
            case 1 -> draft.target = "*";
            case 2 -> draft.target = "/" + draft.target;
            case 3 -> draft.target = "127.0.0.1:80";
            case 4 -> draft.version = "HTTP/1.0";
            case 5 ->
                draft.version = List.of("HTTP/2.0", "HTTP/1.2", "HTTP/9.9", "http/1.1", "HTTQ/1.1", "")
                        .get(random.nextInt(6));
            case 6 -> {
                if (random.nextInt(SELDOM) < 20) {
                    draft.target += (draft.target.indexOf('?') < 0 ? "?a=" : "&a=") + "b".repeat(TOO_LONG);
                }
            }
            default -> draft.target = draft.target.replace("?", "%3F");
        }
        draft.isLast();
    }
}
