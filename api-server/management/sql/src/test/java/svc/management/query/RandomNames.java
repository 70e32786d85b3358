package svc.management.query;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Statements at random, with Supabase's names in the places where functions compose them, and with texts that look like names. */
final class RandomNames {
    private final Random random;

    RandomNames(long seed) {
        this.random = new Random(seed);
    }

    List<String> statements(int count) {
        return IntStream.range(0, count).mapToObj(i -> statement()).toList();
    }

    private String statement() {
        return switch (random.nextInt(12)) {
            case 0 ->
                "create policy " + any("p", "\"to anon, public.x\"", "\"Users of auth.x\"") + " on " + table()
                        + any("", " for select", " for all") + " to " + roles() + " using (" + condition() + ")";
            case 1 ->
                "grant " + any("select", "all", "select, insert") + " on " + any("", "table ") + table() + " to "
                        + roles();
            case 2 -> "revoke " + any("all", "insert") + " on " + table() + " from " + roles();
            case 3 ->
                "insert into " + table() + " (a, b) select " + value() + ", " + value() + " from " + table()
                        + " m where " + condition() + any("", " returning a");
            case 4 -> "update " + table() + " set a = " + value() + " where " + condition();
            case 5 -> "delete from " + table() + " where " + condition() + comment();
            case 6 ->
                "alter table " + any("", "if exists ", "only ") + table() + " add column a "
                        + any("int", schema() + ".mood", "text default 'public.x'");
            case 7 ->
                "create " + any("", "unique ") + "index i on " + table() + " (" + any("a", "lower(b)") + ") where "
                        + condition();
            case 8 ->
                "alter default privileges for role postgres in schema public grant " + any("select", "all")
                        + " on tables to " + roles();
            case 9 -> "create table if not exists " + table() + " (a int references " + table() + " (id), b text)";
            case 10 ->
                "drop " + any("table", "view") + any(" ", " if exists ") + table() + any("", ", " + table())
                        + any("", " cascade");
            default ->
                "select " + value() + any("", " as \"auth.x\"") + comment() + " from " + table() + " m join " + table()
                        + " n on " + condition() + " where " + condition();
        };
    }

    private String table() {
        return schema() + any(".", " . ") + any("t", "\"T t\"", "notes", "objects", "users");
    }

    private String schema() {
        return any("public", "PUBLIC", "\"public\"", "auth", "storage", "Auth", "app", "\"app\"", "realtime");
    }

    private String roles() {
        String role = any("anon", "authenticated", "\"anon\"", "ANON", "service_role", "postgres");
        return random.nextInt(3) == 0
                ? role
                : role + any(", ", ",", " , ") + any("authenticated", "service_role", "\"service_role\"");
    }

    private String value() {
        return any(
                "1",
                "a",
                "'public.x'",
                "'it''s auth.x'",
                "E'\\'public.x'",
                "'to anon'",
                "m.a",
                schema() + ".f(1, 'public.t')",
                "auth.uid()",
                "auth . role()",
                "storage.foldername(a)",
                "\"public.x\"",
                "'x'::" + schema() + ".mood",
                "now()",
                "'anon'");
    }

    private String condition() {
        String left = value() + any(" = ", " <> ", " is distinct from ") + value();
        return switch (random.nextInt(4)) {
            case 0 -> left + " and exists (select 1 from " + table() + " x where x.a = " + value() + ")";
            case 1 -> left + comment() + " or a in (select b from " + table() + ")";
            default -> left;
        };
    }

    private String comment() {
        return any("", "", " /* public.t to anon */", " -- it's auth.x, \"public\".t\n", " /* ' */");
    }

    private String any(String... choices) {
        return Stream.of(choices)
                .skip(random.nextInt(choices.length))
                .findFirst()
                .orElseThrow();
    }
}
