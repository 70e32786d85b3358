create table artists (id int generated always as identity primary key, name text not null, slug text generated always as (lower(replace(name, ' ', '-'))) stored unique);
create table albums (id int generated always as identity primary key, artist_id int not null references artists, title text, released date);
create table tracks (
  id int generated always as identity primary key, album_id int not null references albums on delete cascade, no smallint not null, title text not null,
  seconds int not null check (seconds > 0), unique (album_id, no)
);
create table playlists (id int generated always as identity primary key, owner uuid not null default auth.uid(), name text, is_public boolean not null default false);
create table playlist_tracks (playlist_id int references playlists on delete cascade, track_id int references tracks, position int not null, primary key (playlist_id, position));
create table plays (track_id int references tracks, user_id uuid default auth.uid(), at timestamptz default now());
create view playlist_length as select p.id, p.name, make_interval(secs => coalesce(sum(t.seconds), 0))::text as length
  from playlists p left join playlist_tracks pt on pt.playlist_id = p.id left join tracks t on t.id = pt.track_id group by p.id;
create materialized view charts as
  select t.id, t.title, count(*) as plays, rank() over (order by count(*) desc) as rank from plays p join tracks t on t.id = p.track_id group by t.id;
create unique index on charts (id);
alter table playlists enable row level security;
alter table playlist_tracks enable row level security;
create policy p on playlists for select using (is_public or owner = auth.uid());
create policy p_own on playlists for all to authenticated using (owner = auth.uid()) with check (owner = auth.uid());
create policy pt on playlist_tracks for select using (exists (select from playlists where id = playlist_id));
insert into artists (name) values ('The Tests');
insert into albums (artist_id, title, released) values (1, 'Green', '2024-01-01');
insert into tracks (album_id, no, title, seconds) values (1, 1, 'Pass', 200), (1, 2, 'Fail', 100);
insert into playlists (owner, name, is_public) values ('00000000-0000-4000-8000-000000000001', 'open', true), ('00000000-0000-4000-8000-000000000001', 'mine', false);
insert into playlist_tracks select p, t, t from generate_series(1, 2) p, generate_series(1, 2) t;
insert into plays (track_id, user_id) select 1 + (i % 3) / 2, null from generate_series(1, 6) i;
refresh materialized view charts;
-- expect as anon: GET /playlists?select=name,playlist_tracks(position,tracks(title))&playlist_tracks.order=position => 200 [{"name":"open","playlist_tracks":[{"position":1,"tracks":{"title":"Pass"}},{"position":2,"tracks":{"title":"Fail"}}]}]
-- expect as anon: GET /charts?select=title,plays,rank&order=rank => 200 [{"title":"Pass","plays":4,"rank":1},{"title":"Fail","plays":2,"rank":2}]
-- expect: select length from playlist_length where name = 'mine' => "00:05:00"
-- expect: select slug from artists => "the-tests"
