create extension if not exists pg_trgm;
create extension if not exists fuzzystrmatch;
create table cities (id serial primary key, name text not null, population int);
create index cities_name_trgm on cities using gin (name extensions.gin_trgm_ops);
create index cities_lower on cities (lower(name));
insert into cities (name, population) values ('Berlin', 3600000), ('Bern', 134000), ('Barcelona', 1600000), ('München', 1500000);
create function find_city(q text, threshold real default 0.2) returns setof cities language sql stable as $$
  select c.* from cities c where similarity(c.name, q) > threshold order by similarity(c.name, q) desc, c.population desc limit 5
$$;
-- expect: select name from find_city('berlni') limit 1 => "Berlin"
-- expect: select name from cities order by name <-> 'barselona' limit 1 => "Barcelona"
-- expect: select levenshtein('bern', 'berlin') as d, soundex('Berlin') as s, 'word' <% 'two words' as w => [{"d":2,"s":"B645","w":true}]
-- expect as anon: GET /cities?name=ilike.ber*&select=name&order=name => 200 [{"name":"Berlin"},{"name":"Bern"}]
