-- a text search configuration, a dictionary and a collation of one's own, made once
do $$
begin
  if not exists (select 1 from pg_ts_dict where dictname = 'plain_words') then
    create text search dictionary public.plain_words (template = pg_catalog.simple, stopwords = english);
  end if;
  if not exists (select 1 from pg_catalog.pg_ts_config where cfgname = 'plain') then
    create text search configuration public.plain (copy = pg_catalog.english);
    alter text search configuration public.plain alter mapping for asciiword, word with public.plain_words;
  end if;
  if not exists (select 1 from pg_collation where collname = 'bytewise') then
    create collation public.bytewise (locale = 'C');
  end if;
end $$;
-- run again
-- expect: select to_tsvector('public.plain', 'The running dogs')::text => "'dogs':3 'running':2"
-- expect: select count(*) from pg_ts_config where cfgname in ('plain', 'english') => 2
-- expect: select 'a' < 'B' collate public.bytewise => false
