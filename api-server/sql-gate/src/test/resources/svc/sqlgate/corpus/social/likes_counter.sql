create table photos (id serial primary key, caption text, like_count integer not null default 0);
create table likes (
  photo_id integer not null references photos(id) on delete cascade,
  user_id uuid not null,
  created_at timestamptz default now(),
  unique (photo_id, user_id)
);

-- Statement-level trigger with transition tables: one update for many rows
create function bump_likes() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update photos p set like_count = p.like_count + d.n
    from (select photo_id, count(*) n from changed group by photo_id) d where d.photo_id = p.id;
  else
    update photos p set like_count = p.like_count - d.n
    from (select photo_id, count(*) n from changed group by photo_id) d where d.photo_id = p.id;
  end if;
  return null;
end $$;
create trigger likes_added after insert on likes
  referencing new table as changed for each statement execute function bump_likes();
create trigger likes_removed after delete on likes
  referencing old table as changed for each statement execute function bump_likes();

insert into photos (caption) values ('one'), ('two');
insert into likes (photo_id, user_id)
select p, ('00000000-0000-4000-8000-' || lpad(u::text, 12, '0'))::uuid
from generate_series(1, 2) p, generate_series(1, 10) u where u <= p * 5
on conflict do nothing;
-- expect: select like_count from photos order by id => [{"like_count":5},{"like_count":10}]
-- expect: delete from likes where user_id = '00000000-0000-4000-8000-000000000001' => []
-- expect: select like_count from photos order by id => [{"like_count":4},{"like_count":9}]
-- expect as anon: GET /photos?like_count=gt.5&select=caption => 200 [{"caption":"two"}]
