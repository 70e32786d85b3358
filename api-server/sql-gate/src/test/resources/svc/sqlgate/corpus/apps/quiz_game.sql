create table quizzes (id int generated always as identity primary key, title text not null);
create table questions (id int generated always as identity primary key, quiz_id int not null references quizzes on delete cascade, body text not null);
create table answers (id int generated always as identity primary key, question_id int not null references questions on delete cascade, body text not null, correct boolean not null default false);
create unique index one_correct on answers (question_id) where correct;
create table attempts (id int generated always as identity primary key, quiz_id int references quizzes, user_id uuid not null default auth.uid(), score int, unique (quiz_id, user_id));
-- Whether an answer is right must not be readable
revoke select on answers from anon, authenticated;
grant select (id, question_id, body) on answers to anon, authenticated;
create function submit(p_quiz int, p_answers int[]) returns int language plpgsql security definer set search_path = public as $$
declare s int;
begin
  if auth.uid() is null then raise exception 'sign in first' using errcode = '42501'; end if;
  select count(*) into s from answers a join questions q on q.id = a.question_id where q.quiz_id = p_quiz and a.correct and a.id = any (p_answers);
  insert into attempts (quiz_id, score) values (p_quiz, s)
  on conflict (quiz_id, user_id) do update set score = greatest(attempts.score, excluded.score) returning score into s;
  return s;
end $$;
insert into quizzes (title) values ('SQL');
insert into questions (quiz_id, body) values (1, 'NULL = NULL?'), (1, '1 + 1?');
insert into answers (question_id, body, correct) values (1, 'true', false), (1, 'null', true), (2, '2', true), (2, '3', false);
-- expect as anon: GET /questions?select=body,answers(body)&order=id&answers.order=id => 200 [{"body":"NULL = NULL?","answers":[{"body":"true"},{"body":"null"}]},{"body":"1 + 1?","answers":[{"body":"2"},{"body":"3"}]}]
-- expect as anon: GET /answers?select=correct => 401
-- expect: insert into answers (question_id, body, correct) values (1, 'x', true) => error 23505
-- expect: select submit(1, '{2,3}') => error 42501
