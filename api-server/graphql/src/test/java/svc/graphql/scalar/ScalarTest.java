package svc.graphql.scalar;

import org.junit.jupiter.api.Test;
import svc.graphql.GraphqlFixture;

/** Values: large numbers and JSON as strings, lists, enums with other names, types without a GraphQL type. */
class ScalarTest {
    @Test
    void valuesAreRenderedAsTheirScalarsSay() {
        GraphqlFixture.blog()
                .ask("{ accountByPk(id: 1) { visits balance active score born token extra createdAt } }")
                .answers("{'accountByPk':{'visits':'9007199254740993','balance':'10.50','active':true,'score':1.5,"
                        + "'born':'1815-12-10','token':'11111111-1111-1111-1111-111111111111',"
                        + "'extra':'{\\\"a\\\": [1, \\\"x\\\"]}','createdAt':'2026-01-02T03:04:05+00:00'}}");
        GraphqlFixture.blog()
                .ask("{ accountByPk(id: 2) { visits balance active score born token extra createdAt } }")
                .answers("{'accountByPk':{'visits':null,'balance':null,'active':false,'score':null,'born':null,"
                        + "'token':null,'extra':null,'createdAt':null}}");
    }

    @Test
    void everyKindOfColumnHasAType() {
        var kinds = GraphqlFixture.serve("""
                CREATE TYPE mood AS ENUM ('very-sad', 'ok');
                COMMENT ON TYPE mood IS '@graphql({"mappings": {"very-sad": "VERY_SAD"}})';
                CREATE TYPE odd AS ENUM ('1st', '2nd');
                CREATE TYPE pair AS (a int, b int);
                CREATE DOMAIN positive AS int CHECK (VALUE > 0);
                CREATE TABLE kinds (id int PRIMARY KEY, mood mood, moods mood[], odd odd, pair pair, positive positive,
                    bigs bigint[], amounts numeric[], docs jsonb[], small smallint, real real, clock time, span interval,
                    bytes bytea, range int4range, addr inet, c char(3), "1st" int, grid int[]);
                INSERT INTO kinds VALUES (1, 'very-sad', '{very-sad,NULL,ok}', '1st', '(1,2)', 3, '{1,NULL}', '{1.50}',
                    '{"{\\"a\\":1}"}', 5, 0.5, '12:30', '1 day', '\\x01', '[1,3)', '10.0.0.1', 'ab', 1, '{{1,2},{3,4}}');
                """);
        kinds.ask(
                        "{ kindsByPk(id: 1) { mood moods odd positive bigs amounts docs small real clock span bytes range addr c"
                                + " grid } }")
                .answers("{'kindsByPk':{'mood':'VERY_SAD','moods':['VERY_SAD',null,'ok'],'odd':'1st','positive':3,"
                        + "'bigs':['1',null],'amounts':['1.50'],'docs':['{\\\"a\\\": 1}'],'small':5,'real':0.5,"
                        + "'clock':'12:30:00','span':'1 day','bytes':'\\\\x01','range':'[1,3)','addr':'10.0.0.1',"
                        + "'c':'ab ','grid':[[1,2],[3,4]]}}");
        kinds.ask("{ kindsCollection(filter: {mood: {eq: VERY_SAD}, odd: {eq: \"1st\"}, addr: {eq: \"10.0.0.1\"},"
                        + " positive: {gt: 2}}) { edges { node { id } } } }")
                .answers("{'kindsCollection':{'edges':[{'node':{'id':1}}]}}");
        kinds.ask("{ kindsByPk(id: 1) { pair } }").fails("Unknown field 'pair' on type 'Kinds'");
    }

    @Test
    void aRowMayHaveManyFields() {
        var columns = new StringBuilder();
        var fields = new StringBuilder();
        var expected = new StringBuilder();
        for (int i = 0; i < 130; i++) {
            columns.append(", c").append(i).append(" text DEFAULT '}{'");
            fields.append(" c").append(i);
            expected.append(i == 0 ? "" : ",").append("'c").append(i).append("':'}{'");
        }
        var wide = GraphqlFixture.serve(
                "CREATE TABLE wide (id int PRIMARY KEY" + columns + "); INSERT INTO wide VALUES (1)");
        wide.ask("{ wideByPk(id: 1) {" + fields + " } }").answers("{'wideByPk':{" + expected + "}}");
    }
}
