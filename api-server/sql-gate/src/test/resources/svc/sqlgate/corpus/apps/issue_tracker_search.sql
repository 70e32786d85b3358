create table repos (id int primary key, name text unique);
create table issues (id int generated always as identity primary key, repo_id int not null references repos on delete cascade, number int not null, title text not null, body text, state text not null default 'open' check (state in ('open', 'closed')), author text, labels text[] default '{}', search tsvector, unique (repo_id, number));
create function issue_before() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    select coalesce(max(number), 0) + 1 into new.number from issues where repo_id = new.repo_id;
  end if;
  new.search := setweight(to_tsvector('english', new.title), 'A') || to_tsvector('english', coalesce(new.body, '')) || array_to_tsvector(new.labels);
  return new;
end $$;
create trigger issue_before before insert or update of title, body, labels on issues for each row execute function issue_before();
create index on issues using gin (search);
create index on issues (repo_id, state, number desc);
create function find_issues(q text default '', p_state text default 'open', p_labels text[] default '{}') returns setof issues language plpgsql stable as $$
declare
  conditions text[] := array['state = $2'];
begin
  if q <> '' then conditions := conditions || 'search @@ websearch_to_tsquery(''english'', $1)'::text; end if;
  if cardinality(p_labels) > 0 then conditions := conditions || 'labels @> $3'::text; end if;
  return query execute 'select * from issues where ' || array_to_string(conditions, ' and ') || ' order by number desc' using q, p_state, p_labels;
end $$;
insert into repos values (1, 'core'), (2, 'docs');
insert into issues (repo_id, title, body, labels) values (1, 'Crash on start', 'It crashes', '{bug}'), (1, 'Faster start', null, '{perf}'), (2, 'Typo', 'crashing typo', '{bug,easy}');
update issues set state = 'closed' where title = 'Typo';
-- expect: select repo_id, number from issues order by id => [{"repo_id":1,"number":1},{"repo_id":1,"number":2},{"repo_id":2,"number":1}]
-- expect: select title from find_issues('crash') => "Crash on start"
-- expect: select count(*) from find_issues(p_labels => array['bug'], p_state => 'closed') => 1
-- expect as anon: GET /repos?select=name,issues(number,title)&issues.state=eq.open&issues.order=number&order=id => 200 [{"name":"core","issues":[{"number":1,"title":"Crash on start"},{"number":2,"title":"Faster start"}]},{"name":"docs","issues":[]}]
