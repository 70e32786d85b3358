create table docs (id uuid primary key default gen_random_uuid(), kind text generated always as (data ->> 'kind') stored, data jsonb not null,
  constraint has_kind check (data ? 'kind' and jsonb_typeof(data -> 'kind') = 'string'));
create index docs_data on docs using gin (data jsonb_path_ops);
create index docs_kind on docs (kind);
create index docs_score on docs (((data ->> 'score')::numeric) desc);
insert into docs (data) values
  ('{"kind": "post", "score": 5, "tags": ["a", "b"], "author": {"name": "Ada"}}'),
  ('{"kind": "post", "score": 9.5, "tags": [], "author": null}'),
  ('{"kind": "page", "title": "ünïcode \u00e9 \ud83d\ude00"}');
update docs set data = jsonb_set(data, '{author,name}', '"Augusta"') where data @> '{"author": {"name": "Ada"}}';
update docs set data = data - 'tags' || '{"archived": true}' where data @@ '$.score > 9';
update docs set data['views'] = '1' where kind = 'page';
-- expect: select data #>> '{author,name}' as n, data -> 'tags' -> -1 as t from docs where data @> '{"tags": ["a"]}' => [{"n":"Augusta","t":"b"}]
-- expect: select data - 'kind' as d from docs where data ? 'archived' => [{"d":{"score":9.5,"author":null,"archived":true}}]
-- expect: select data ->> 'title' as t, data['views'] as v from docs where kind = 'page' => [{"t":"ünïcode é 😀","v":1}]
-- expect: select count(*) from docs, jsonb_path_query(data, '$.tags[*] ? (@ like_regex "^[ab]$")') => 2
-- expect: insert into docs (data) values ('{"kind": 1}') => error 23514
-- expect as anon: GET /docs?kind=eq.post&select=score:data->score&order=data->score.desc => 200 [{"score":9.5},{"score":5}]
-- expect: select jsonb_object_agg(k, c) as o from (select kind k, count(*) c from docs group by 1) x => [{"o":{"page":1,"post":2}}]
