create table product_reviews (
  product_id bigint not null,
  user_id uuid not null default auth.uid(),
  stars smallint not null check (stars between 1 and 5),
  text text,
  edited boolean not null default false,
  constraint one_review_each primary key (product_id, user_id)
);
create materialized view product_scores as
  select product_id, round(avg(stars), 2) as score, count(*) as reviews from product_reviews group by product_id
with no data;
create unique index product_scores_pk on product_scores (product_id);
alter table product_reviews enable row level security;
create policy r on product_reviews for select using (true);
create policy w on product_reviews for all to authenticated using (user_id = auth.uid());

insert into product_reviews (product_id, user_id, stars) values
  (1, '00000000-0000-4000-8000-000000000001', 5), (1, '00000000-0000-4000-8000-000000000002', 2);
insert into product_reviews as r (product_id, user_id, stars, text)
values (1, '00000000-0000-4000-8000-000000000001', 4, 'less good')
on conflict on constraint one_review_each do update
  set stars = excluded.stars, text = excluded.text, edited = true
  where r.stars <> excluded.stars
returning *;
refresh materialized view product_scores;
refresh materialized view concurrently product_scores;
-- expect: select stars, edited from product_reviews where text = 'less good' => [{"stars":4,"edited":true}]
-- expect as anon: GET /product_scores => 200 [{"product_id":1,"score":3.00,"reviews":2}]
-- expect as user 2: POST /product_reviews?select=stars {"product_id":2,"stars":1} => 201 [{"stars":1}]
-- expect as user 2: POST /product_reviews {"product_id":2,"stars":1} => 409
