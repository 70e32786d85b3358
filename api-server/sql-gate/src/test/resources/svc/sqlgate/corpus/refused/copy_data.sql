-- pg_dump with data, plain format
CREATE TABLE public.countries (code text, name text);
COPY public.countries (code, name) FROM stdin;
-- refused: sql_forbidden_statement, hint "INSERT"
CREATE TABLE public.countries (code text, name text);
INSERT INTO public.countries SELECT * FROM json_to_recordset('[{"code": "de", "name": "Germany"}]') AS x(code text, name text);
-- expect: select name from countries => "Germany"
