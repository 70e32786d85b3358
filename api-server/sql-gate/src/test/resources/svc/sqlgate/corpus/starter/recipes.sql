-- Recipes with ingredients and ratings; average rating kept by a trigger
create table public.recipes (
  id uuid primary key default uuid_generate_v4(),
  slug text not null unique,
  title text not null,
  servings int not null default 2,
  steps jsonb not null default '[]'::jsonb,
  rating_avg numeric(3,2),
  rating_count int not null default 0,
  search tsvector generated always as (setweight(to_tsvector('english', title), 'A')) stored
);
create table public.ingredients (
  recipe_id uuid references public.recipes on delete cascade,
  name text not null,
  quantity numeric,
  unit text,
  primary key (recipe_id, name)
);
create table public.ratings (
  recipe_id uuid references public.recipes on delete cascade,
  user_id uuid,
  stars int check (stars between 1 and 5),
  primary key (recipe_id, user_id)
);
create index recipes_search on public.recipes using gin (search);

create function public.refresh_rating() returns trigger as $fn$
declare
  target uuid := coalesce(new.recipe_id, old.recipe_id);
begin
  update public.recipes r
     set (rating_avg, rating_count) = (select avg(stars), count(*) from public.ratings where recipe_id = target)
   where r.id = target;
  return null;
end
$fn$ language plpgsql;

create trigger ratings_changed after insert or update or delete on public.ratings
  for each row execute function public.refresh_rating();

with r as (
  insert into recipes (slug, title, steps) values ('pancakes', 'Fluffy pancakes', '["mix", "fry"]') returning id
), i as (
  insert into ingredients select id, unnest(array['flour', 'milk']), 200, 'g' from r
)
insert into ratings select id, gen_random_uuid(), s from r, generate_series(3, 5) s;
-- expect: select rating_avg, rating_count from recipes => [{"rating_avg":4.00,"rating_count":3}]
-- expect: select count(*) from recipes where search @@ websearch_to_tsquery('english', 'pancake') => 1
-- expect as anon: GET /recipes?select=slug,ingredients(name)&ingredients.order=name => 200 [{"slug":"pancakes","ingredients":[{"name":"flour"},{"name":"milk"}]}]
-- expect: delete from recipes returning slug => "pancakes"
-- expect: select count(*) from ratings => 0
