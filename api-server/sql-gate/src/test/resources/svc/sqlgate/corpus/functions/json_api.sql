-- Functions that build documents
create table authors (id int primary key, name text);
create table books (id int primary key, author_id int references authors, title text, meta jsonb default '{}');
insert into authors values (1, 'Ursula'), (2, 'Iain');
insert into books values (1, 1, 'The Dispossessed', '{"year": 1974, "awards": ["Hugo", "Nebula"]}'), (2, 2, 'Excession', '{"year": 1996}'), (3, 1, 'Always Coming Home', '{"year": 1985, "awards": []}');

create function library() returns jsonb language sql stable as $$
  select jsonb_agg(jsonb_build_object(
    'author', a.name,
    'books', (select coalesce(jsonb_agg(jsonb_build_object('title', b.title) || b.meta order by b.id), '[]') from books b where b.author_id = a.id)
  ) order by a.id)
  from authors a
$$;
create function patch_book(p_id int, patch jsonb) returns books language sql as $$
  update books set
    title = coalesce(patch ->> 'title', title),
    meta = jsonb_strip_nulls(meta || coalesce(patch -> 'meta', '{}'))
  where id = p_id returning *
$$;
create function bulk_insert(rows json) returns int language plpgsql as $$
declare n int;
begin
  insert into books (id, author_id, title) select * from json_to_recordset(rows) as r(id int, author_id int, title text);
  get diagnostics n = row_count;
  return n;
end $$;
-- expect: select jsonb_path_query_array(library(), '$[0].books[*].title') as t => [{"t":["The Dispossessed","Always Coming Home"]}]
-- expect as anon: POST /rpc/patch_book?select=title,meta {"p_id":2,"patch":{"meta":{"year":null,"pages":451}}} => 200 {"title":"Excession","meta":{"pages":451}}
-- expect as anon: POST /rpc/bulk_insert {"rows":[{"id":4,"author_id":2,"title":"Matter"}]} => 200 1
-- expect: select title from books where meta @? '$.awards[*] ? (@ == "Hugo")' => "The Dispossessed"
-- expect: select jsonb_set(meta, '{awards,0}', '"H"') #>> '{awards,0}' as x from books where id = 1 => "H"
-- expect: select key, value from books, jsonb_each_text(meta) where id = 2 => [{"key":"pages","value":"451"}]
