package svc.e2e.schema;

import java.util.ArrayList;
import java.util.List;

/**
 * A schema of objects of all kinds that a project may have, with their options at random: the same of the same seed. Each
 * statement is one that PostgreSQL 18 accepts behind those before it.
 */
final class RandomSchema extends RandomTables {

    private final List<String> parts = new ArrayList<>();
    private final boolean grows;
    private final int made;
    private String sequence;
    private String view;
    private String kept;

    /**
     * @param grows whether the changes add a label to an enumeration, which nothing takes away again
     */
    RandomSchema(long seed, boolean grows) {
        super(seed);
        this.grows = grows;
        types();
        routines();
        for (int i = 0; i < 3 + random.nextInt(4); i++) {
            table();
        }
        partitions();
        inheritance();
        circle();
        sequences();
        views();
        privileges();
        made = statements.size();
        change();
    }

    /** A script; its tables have rows. */
    String script() {
        return joined(statements.subList(0, made));
    }

    /** A script that changes what the other has made. */
    String changes() {
        return joined(statements.subList(made, statements.size()));
    }

    private static String joined(List<String> statements) {
        return String.join(";\n", statements) + ";\n";
    }

    private void types() {
        add("create type mood as enum ('sad', 'o''k', '')");
        add("create domain positive as int %s check (value > 0)%s", maybe("default 7"), maybe(" not null"));
        add("create domain code as varchar(9) collate \"C\" constraint %s check (value <> 'x')", name());
        add("create type pair as (a int, %s text%s)", name(), maybe(" collate \"de-x-icu\""));
        add("create type span as range (subtype = float8%s)", maybe(", multirange_type_name = spans"));
        some("create collation numeric_order (provider = icu, locale = 'de-u-kn', deterministic = false)");
        some("create text search dictionary plain (template = simple, stopwords = english)");
        comment("type mood");
        comment("domain positive");
        comment("column pair.a");
    }

    private void routines() {
        add(
                "create function twice(x int, y int default %d) returns int language sql %s %s %s as 'select $1 * 2 + $2 - $2'",
                random.nextInt(9), pick("immutable", "immutable strict"), maybe("parallel safe"), maybe("cost 7"));
        add(
                "create function changed() returns trigger language plpgsql %s %s as 'begin return new; end'",
                maybe("security definer"), maybe("set search_path = ''"));
        some("create procedure work(inout x int, variadic y text[]) language plpgsql as 'begin x := 1; end'");
        some(
                "create function rows_of(n int) returns table (a int, b text) language sql stable rows 5 begin atomic select n, 'x'::text; end");
        add("create function plus(int, int) returns int language sql immutable as 'select $1 + $2'");
        some(
                "create aggregate total(int) (sfunc = plus, stype = int, initcond = '0', combinefunc = plus, parallel = safe)");
        comment("function twice(int, int)");
    }

    private void partitions() {
        String table = name();
        String[] parts = {name(), name(), name()};
        this.parts.add(table);
        this.parts.addAll(List.of(parts));
        add(
                "create table %s (id int, region text not null, note text default 'n', primary key (id, region)) partition by list (region)",
                table);
        add("create table %s partition of %s for values in ('a', 'b')", parts[0], table);
        add("create table %s partition of %s default partition by hash (id)", parts[1], table);
        add("create table %s (note text, gone int, region text not null, id int not null)", parts[2]);
        add("alter table %s drop column gone", parts[2]);
        add("alter table %s attach partition %s for values with (modulus 1, remainder 0)", parts[1], parts[2]);
        add("create unique index %s on %s (region, id, note)", name(), table);
        some("create index %s on %s (note)", name(), table);
        some("alter table %s alter column note set default 'own'", parts[0]);
        some("create trigger %s before insert on %s for each row execute function changed()", name(), table);
        some("alter table %s enable row level security", parts[0]);
        add("insert into %s (id, region) values (1, 'a'), (2, 'c')", table);
        some("create table %s (i int, r text, foreign key (i, r) references %s)", name(), table);
    }

    private void inheritance() {
        String parent = name();
        add("create table %s (a int not null, b text default 'p', constraint %s check (a > 0))", parent, name());
        add("create table %s (c int%s) inherits (%s)", name(), maybe(", b text default 'q'"), parent);
        add("insert into %s values (1, 'x')", parent);
        some("create table %s of pair", name());
    }

    private void circle() {
        String one = name();
        String two = name();
        add("create table %s (id int primary key, boss int references %s, other int)", one, one);
        add("create table %s (id int primary key, %s int not null references %s)", two, one, one);
        add("alter table %s add foreign key (other) references %s%s", one, two, maybe(" deferrable"));
        add("insert into %s values (1, 2, null), (2, null, null)", one);
        add("insert into %s values (1, 1)", two);
        add("update %s set other = 1", one);
    }

    private void sequences() {
        sequence = name();
        add(
                "create sequence %s as %s increment %d minvalue -50 maxvalue 50 start 3 cache 2%s",
                sequence, pick("smallint", "int", "bigint"), pick(-2, 5), maybe(" cycle"));
        some("select nextval('%s')", sequence.replace("'", "''"));
        some("alter sequence %s owned by %s.id", sequence, tables.getFirst());
        some("revoke usage on sequence %s from anon", sequence);
    }

    private void views() {
        view = name();
        add(
                "create view %s%s as select id, label, amount from %s where amount > 0",
                view,
                pick(" with (security_invoker)", " with (security_barrier, check_option = local)", ""),
                tables.getFirst());
        add("create view %s as select v.*, twice(3) as %s from %s v", name(), name(), view);
        add("alter view %s alter column label set default 'v'", view);
        comment("view " + view);
        kept = name();
        add(
                "create materialized view %s%s as select id, count(*) as n from %s group by id%s",
                kept, maybe(" with (fillfactor = 80)"), tables.getFirst(), maybe(" with no data"));
        add("create unique index %s on %s (id)", name(), kept);
        some("create function %s(v %s) returns text language sql stable as 'select $1.label'", name(), view);
    }

    private void privileges() {
        some("alter default privileges in schema public revoke all on tables from anon");
        some("alter default privileges in schema public grant usage on types to authenticated");
        some("alter default privileges in schema public revoke execute on functions from %s", pick(CALLERS));
        some("revoke execute on function twice(int, int) from anon");
        some("grant usage on type mood to anon");
        add("create table %s (a int)", name());
    }

    private void change() {
        String table = tables.getLast();
        String text = texts.getLast();
        some("alter table %s add column extra int not null default twice(2)", table);
        some("alter table %s alter column list type bigint[]", table);
        some("alter table %s alter column %s set not null, alter column %s set default 'other'", table, text, text);
        some("alter table %s drop column document cascade", table);
        some("alter table %s alter column label drop default, alter column feeling drop default", table);
        some("alter table %s set (fillfactor = 90)", table);
        some("alter table %s replica identity default", tables.getFirst());
        some("alter table %s force row level security", table);
        some("alter table %s disable row level security", tables.getFirst());
        some("comment on table %s is null", table);
        some("comment on column %s.%s is 'changed'", table, text);
        some("grant all on %s to anon", table);
        some("revoke all on %s from service_role", table);
        some("drop policy %s", policies.getLast());
        some("alter policy %s to anon", policies.getFirst());
        if (grows) {
            some("alter type mood add value 'new' after 'sad'");
        }
        some("alter domain positive set default 8");
        some("alter domain positive add constraint small check (value < 100000)");
        some("create or replace function plus(int, int) returns int language sql immutable as 'select $2 + $1'");
        table();
        some("drop function changed() cascade");
        some("create function changed(int) returns int language sql as 'select 1'");
        some("create function twice(x text) returns text language sql as 'select $1'");
        if (!indexes.isEmpty()) {
            some("drop index %s", indexes.getLast());
        }
        some("drop view %s cascade", view);
        some("alter table %s alter column note drop default", parts.get(1));
        some("alter table %s detach partition %s", parts.get(0), parts.get(1));
        some("create index on %s (note, id)", parts.get(0));
        some("create table %s partition of %s for values in ('x', 'y')", name(), parts.get(0));
        some("alter sequence %s increment 7", sequence);
        some("drop materialized view %s", kept);
        some("alter default privileges in schema public grant all on tables to anon");
    }
}
