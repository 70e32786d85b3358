create table s (k text primary key, v text);
insert into s values
  ('plain', 'it''s'),
  ('escape', E'a\'b\\c\x41\101\u00E4\U0001F600'),
  ('unicode', U&'\00e4\+01F600 \\'),
  ('uescape', U&'!00e4' uescape '!'),
  ('dollar', $$it's $1 \n "x"$$),
  ('tagged', $tag_1$ $$ $tag$ $tag_1$),
  ('continued', 'one'
     ' two'
     ' three'),
  ('national', N'n'),
  ('public', 'public.todos auth.users TO authenticated; DROP TABLE s; --'),
  ('bits', B'101' || X'F'::bit(4)),
  ('numbers', concat(1_000, ' ', 0x1F, ' ', 0o17, ' ', 0b11, ' ', 1.5e3, ' ', .5, ' ', 5.)),
  ('casts', '1'::text || cast(2 as text) || text '3' || int4 '4' || interval '1' day),
  ('empty', '');
-- expect: select k, v from s where k in ('plain', 'escape', 'unicode', 'uescape', 'dollar', 'tagged') order by k => [
--     {"k":"dollar","v":"it's $1 \\n \"x\""},{"k":"escape","v":"a'b\\cAAä😀"},{"k":"plain","v":"it's"},
--     {"k":"tagged","v":" $$ $tag$ "},{"k":"uescape","v":"ä"},{"k":"unicode","v":"ä😀 \\"}]
-- expect: select v from s where k = 'continued' => "one two three"
-- expect: select v from s where k = 'public' => "public.todos auth.users TO authenticated; DROP TABLE s; --"
-- expect: select v from s where k = 'numbers' => "1000 31 15 3 1500 0.5 5"
-- expect: select v from s where k = 'bits' => "1011111"
