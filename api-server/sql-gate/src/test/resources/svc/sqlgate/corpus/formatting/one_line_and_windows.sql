CREATE TABLE w (id int);
CREATE FUNCTION wf() RETURNS text
LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT 'crlf' FROM w LIMIT 1);
END $$;
INSERT INTO w VALUES (1);
CREATE TABLE a(id int primary key,b text);INSERT INTO a VALUES(1,'x;y'),(2,E'tab\tnew\nline\\ \'q\' \u00e4');CREATE VIEW v AS SELECT b FROM a;CREATE FUNCTION f(int)RETURNS int LANGUAGE sql AS'SELECT $1+1';DO'BEGIN PERFORM f(1);END';SELECT 1;
-- expect: select b from v order by 1 desc => [{"b":"x;y"},{"b":"tab\tnew\nline\\ 'q' ä"}]
-- expect: select f(f(1)) => 3
-- expect: select wf() => "crlf"
