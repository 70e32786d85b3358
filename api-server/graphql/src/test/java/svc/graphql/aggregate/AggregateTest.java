package svc.graphql.aggregate;

import org.junit.jupiter.api.Test;
import svc.graphql.GraphqlFixture;

/** Aggregates, on by comment. */
class AggregateTest {
    private static final GraphqlFixture BLOG = GraphqlFixture.blog();

    @Test
    void aggregatesAreOfAllRowsOfTheFilter() {
        BLOG.ask(
                        "{ blogCollection(first: 1, filter: {id: {lt: 4}}) { aggregate { __typename count sum { rank r2: rank }"
                                + " avg { id } min { name rank __typename } max { name } } } }")
                .answers("{'blogCollection':{'aggregate':{'__typename':'BlogAggregate','count':3,'sum':{'rank':'10',"
                        + "'r2':'10'},'avg':{'id':'2.0000000000000000'},'min':{'name':'Birds','rank':5,"
                        + "'__typename':'BlogMinAggregateResult'},'max':{'name':'Poems'}}}}");
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
                .answers(
                        "{'flagCollection':{'aggregate':{'min':{'up':false,'big':'5','at':'2026-01-01T00:00:00+00:00'},"
                                + "'max':{'up':true,'big':'7'},'sum':{'big':'12'}}}}");
    }
}
