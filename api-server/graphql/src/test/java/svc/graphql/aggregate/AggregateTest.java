package svc.graphql.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import svc.graphql.GraphqlFixture;

/** Aggregates, on by comment. */
class AggregateTest {
    private static final GraphqlFixture BLOG = GraphqlFixture.blog();

    @Test
    void aggregatesAreOfAllRowsOfTheFilter() {
        BLOG.ask("{ blogCollection(first: 1, filter: {id: {lt: 4}}) { aggregate { __typename count sum { rank"
                        + " r2: rank } avg { id } min { name rank __typename } max { name } } } }")
                .answers("{'blogCollection':{'aggregate':{'__typename':'BlogAggregate','count':3,'sum':{'rank':10,"
                        + "'r2':10},'avg':{'id':2},'min':{'name':'Birds','rank':5,"
                        + "'__typename':'BlogMinAggregateResult'},'max':{'name':'Poems'}}}}");
    }

    /** Numbers of JSON whatever the type, without the zeros that PostgreSQL adds to an average, and exact. */
    @Test
    void valuesAreNumbers() {
        var sales = GraphqlFixture.serve("""
                CREATE TABLE sale (id int PRIMARY KEY, big bigint, amount numeric, ratio float8, small real);
                COMMENT ON TABLE sale IS '@graphql({"aggregate": {"enabled": true}})';
                INSERT INTO sale VALUES (1, 9007199254740993, 10.50, 0.5, 1.5), (2, 2, 0.25, 1, NULL);
                """);
        String answer = sales.ask("{ saleCollection { aggregate { sum { big amount ratio small } avg { id big amount"
                        + " ratio } min { big amount ratio } max { big amount ratio } } } }")
                .answer()
                .body();
        assertThat(answer)
                .isEqualTo("{\"data\":{\"saleCollection\":{\"aggregate\":{\"sum\":{\"big\":9007199254740995,"
                        + "\"amount\":10.75,\"ratio\":1.5,\"small\":1.5},\"avg\":{\"id\":1.5,\"big\":4503599627370497.5,"
                        + "\"amount\":5.375,\"ratio\":0.75},\"min\":{\"big\":2,\"amount\":0.25,\"ratio\":0.5},"
                        + "\"max\":{\"big\":9007199254740993,\"amount\":10.50,\"ratio\":1}}}}}");
        sales.asOwner("UPDATE sale SET amount = 'NaN', ratio = 'Infinity' WHERE id = 1");
        sales.ask("{ saleCollection { aggregate { sum { amount } avg { amount ratio } max { ratio } } } }")
                .answers("{'saleCollection':{'aggregate':{'sum':{'amount':'NaN'},'avg':{'amount':'NaN',"
                        + "'ratio':'Infinity'},'max':{'ratio':'Infinity'}}}}");
    }

    @Test
    void aggregatesOfARelationAreOfItsRows() {
        BLOG.ask("{ accountCollection(first: 2) { edges { node { blogCollection { aggregate { count } } } } } }")
                .answers("{'accountCollection':{'edges':[{'node':{'blogCollection':{'aggregate':{'count':2}}}},"
                        + "{'node':{'blogCollection':{'aggregate':{'count':1}}}}]}}");
    }

    @Test
    void whatCannotBeAggregatedIsRefused() {
        BLOG.ask("{ accountCollection { aggregate { count } } }")
                .fails("enable the aggregate directive to use aggregates");
        BLOG.ask("{ blogCollection { aggregate { sum { name } } } }")
                .fails("Unknown or invalid field \"name\" selected on type \"BlogSumAggregateResult\"");
        BLOG.ask("{ blogCollection { aggregate { median { rank } } } }")
                .fails("Unknown or invalid field \"median\" selected on type \"BlogAggregate\"");
    }

    @Test
    void truthHasALeastAndAGreatestValue() {
        var flags = GraphqlFixture.serve("""
                CREATE TABLE flag (id int PRIMARY KEY, up boolean, big bigint, at timestamptz);
                COMMENT ON TABLE flag IS '@graphql({"aggregate": {"enabled": true}})';
                INSERT INTO flag VALUES (1, true, 5, '2026-01-01T00:00:00Z'), (2, false, 7, NULL);
                """);
        flags.ask("{ flagCollection { aggregate { min { up big at } max { up big } sum { big } } } }")
                .answers("{'flagCollection':{'aggregate':{'min':{'up':false,'big':5,'at':'2026-01-01T00:00:00+00:00'},"
                        + "'max':{'up':true,'big':7},'sum':{'big':12}}}}");
    }
}
