-- comment; with a semicolon 'and a quote
/* block /* nested; */ "still" ' comment */ create /* here */ table/**/public.--line
a /*
 -- not a line comment */ ( id int -- trailing, comma
  , v text default '-- no comment' /* ; */
  , w text default '/* neither */'
  , primary/**/key(id)
)
; -- end
;;
create/**/function public.f()returns text language sql as $$ select '-- $x$ ; ' /* ; */ -- done
$$;
create function public.g() returns text language plpgsql as $outer$
/* a comment before begin; */
declare x text := $inner$ ; $$ -- $inner$; -- why not
begin
  -- return null;
  return x || 'end;'; /* end */
end;
-- behind the end
$outer$;;
insert into public.a values(1,default,default)/*;*/,(2,'x','y');select/*last*/count(*)from public.a--eof
-- expect: select v, w from a where id = 1 => [{"v":"-- no comment","w":"/* neither */"}]
-- expect: select f() => "-- $x$ ; "
-- expect: select g() => " ; $$ -- end;"
