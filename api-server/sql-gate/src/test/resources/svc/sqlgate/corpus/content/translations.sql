create table languages (code text primary key check (code ~ '^[a-z]{2}(-[A-Z]{2})?$'), name text not null, fallback text references languages);
create table strings (key text, language text references languages on delete cascade, value text not null, primary key (key, language));
insert into languages (code, name, fallback) values ('en', 'English', null), ('de', 'Deutsch', 'en'), ('de-AT', 'Österreichisch', 'de'), ('zh', '中文', 'en');
insert into strings values ('hello', 'en', 'Hello'), ('hello', 'de', 'Hallo'), ('hello', 'de-AT', 'Servus'), ('bye', 'en', 'Goodbye'), ('bye', 'zh', '再见 👋');

create function translate_key(k text, l text) returns text language sql stable as $$
  with recursive chain(code, depth) as (
    select l, 0
    union all
    select languages.fallback, depth + 1 from chain join languages using (code) where languages.fallback is not null
  ) cycle code set looped using trail
  select s.value from chain join strings s on s.language = chain.code and s.key = k order by depth limit 1
$$;
-- expect: select translate_key('hello', 'de-AT') as a, translate_key('bye', 'de-AT') as b, translate_key('bye', 'zh') as c => [{"a":"Servus","b":"Goodbye","c":"再见 👋"}]
-- expect: insert into languages values ('English', 'x') => error 23514
-- expect as anon: GET /strings?language=eq.zh => 200 [{"key":"bye","language":"zh","value":"再见 👋"}]
