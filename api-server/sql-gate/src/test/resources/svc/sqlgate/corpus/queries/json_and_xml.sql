create table feeds (id int primary key, doc xml, j json);
insert into feeds values (1, '<feed><item id="1">a</item><item id="2">b</item></feed>', '{"b":1, "a":2, "b":3}');
create view items as
select x.* from feeds, xmltable('/feed/item' passing doc columns id int path '@id', body text path '.') x;
create view built as
select json_build_object('k', json_array(1, 'x' null on null), 'o', json_object('q' value 5)) as j,
       jsonb_pretty('{"a":[1]}') as p, xmlelement(name br, xmlattributes(1 as n)) as x, row_to_json(row(1, 'r')) as r,
       json_exists('{"a":1}', '$.a') as e, json_value('{"a":"v"}', '$.a') as v, json_query('{"a":[1,2]}', '$.a') as q, '{"a":1}' is json object as isj;
-- expect: select * from items order by id => [{"id":1,"body":"a"},{"id":2,"body":"b"}]
-- expect: select j -> 'k' as k, j -> 'o' ->> 'q' as o, e, v, isj from built => [{"k":[1,"x"],"o":"5","e":true,"v":"v","isj":true}]
-- expect: select x::text from built => "<br n=\"1\"/>"
-- expect: select j::jsonb as j from feeds => [{"j":{"a":2,"b":3}}]
