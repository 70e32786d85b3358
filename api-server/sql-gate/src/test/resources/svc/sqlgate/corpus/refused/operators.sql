create type complex as (re float8, im float8);
create function complex_add(a complex, b complex) returns complex language sql immutable as $$ select row(a.re + b.re, a.im + b.im)::complex $$;
create operator + (leftarg = complex, rightarg = complex, function = complex_add);
-- refused: sql_forbidden_statement, hint "function"
create type complex as (re float8, im float8);
create function complex_add(a complex, b complex) returns complex language sql immutable as $$ select row(a.re + b.re, a.im + b.im)::complex $$;
-- expect: select (complex_add(row(1, 2), row(3, 4))).* => [{"re":4,"im":6}]
