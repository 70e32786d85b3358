-- Case-insensitive and natural sorting with ICU
create collation if not exists case_insensitive (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
create collation public.natural_sort (provider = icu, locale = 'en-u-kn-true');
create collation german from "de-x-icu";
create table tags (name text collate public.case_insensitive primary key);
create table files (name text collate natural_sort);
insert into tags values ('SQL');
insert into files values ('file10'), ('file2'), ('file1');
comment on collation german is 'for names';
-- expect: insert into tags values ('sql') => error 23505
-- expect: select array_agg(name order by name) from files => [{"array_agg":["file1","file2","file10"]}]
-- expect: select array_agg(x order by x collate german) from unnest(array['z', 'ä', 'b']) x => [{"array_agg":["ä","b","z"]}]
