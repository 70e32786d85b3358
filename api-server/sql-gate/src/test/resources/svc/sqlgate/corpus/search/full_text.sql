create extension if not exists unaccent with schema extensions;
create text search configuration public.simple_unaccent (copy = simple);
alter text search configuration public.simple_unaccent
  alter mapping for hword, hword_part, word with extensions.unaccent, simple;
create text search dictionary public.no_stop (template = pg_catalog.simple, stopwords = english);

create table public.articles (
  id int primary key,
  title text not null,
  body text not null,
  lang regconfig not null default 'english',
  fts tsvector generated always as (
    setweight(to_tsvector('english', coalesce(title, '')), 'A') || setweight(to_tsvector('english', coalesce(body, '')), 'B')
  ) stored
);
create index articles_fts on public.articles using gin (fts);

create function public.search_articles(query text) returns table (id int, title text, rank real, snippet text)
language sql stable as $$
  select a.id, a.title, ts_rank_cd(a.fts, q, 32), ts_headline('english', a.body, q, 'StartSel=<b>, StopSel=</b>, MaxWords=5, MinWords=1')
  from public.articles a, websearch_to_tsquery('english', query) q
  where a.fts @@ q
  order by 3 desc
$$;
insert into public.articles (id, title, body) values
  (1, 'Running databases', 'How to run PostgreSQL in production'),
  (2, 'Cooking', 'Run to the kitchen and cook databases of recipes');
-- expect: select id, snippet like '%<b>%' as b from search_articles('cook recipes') => [{"id":2,"b":true}]
-- expect: select array_agg(id) from search_articles('run database') => [{"array_agg":[1,2]}]
-- expect: select id from articles where fts @@ to_tsquery('english', 'cook & !production') => 2
-- expect: select to_tsvector('public.simple_unaccent', 'Café')::text => "'cafe':1"
-- expect: select ts_lexize('public.no_stop', 'the')::text => "{}"
-- expect as anon: GET /articles?fts=wfts(english).production&select=id => 200 [{"id":1}]
