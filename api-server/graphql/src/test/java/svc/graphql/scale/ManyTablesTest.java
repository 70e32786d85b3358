package svc.graphql.scale;

import static org.assertj.core.api.Assertions.assertThat;

import graphql.introspection.IntrospectionQuery;
import org.jboss.logging.Logger;
import org.junit.jupiter.api.Test;
import svc.graphql.GraphqlFixture;

/** A project with many tables: its schema is built, answers, and introspection is bounded. */
class ManyTablesTest {
    private static final Logger LOG = Logger.getLogger(ManyTablesTest.class);
    private static final int TABLES = 200;

    @Test
    void aSchemaOfManyTablesAnswers() {
        var many = GraphqlFixture.serve("""
                DO $$ BEGIN FOR i IN 1..%d LOOP
                    EXECUTE format('CREATE TABLE thing_%%s (id int PRIMARY KEY, parent_id int %%s, name text, note text,
                        amount numeric, made timestamptz, tags text[], doc jsonb, flag boolean, size bigint)', i,
                        CASE WHEN i > 1 THEN format('REFERENCES thing_%%s', i - 1) ELSE '' END);
                END LOOP; END $$
                """.formatted(TABLES));
        long began = System.nanoTime();
        many.ask("{ thing7Collection { edges { node { parent { id } thing8Collection { edges { cursor } } } } } }")
                .answers("{'thing7Collection':{'edges':[]}}");
        long first = System.nanoTime();
        assertThat(many.ask(IntrospectionQuery.INTROSPECTION_QUERY).data().at("/__schema/types"))
                .hasSizeGreaterThan(TABLES * 9);
        LOG.infof(
                "%d tables: first answer after %d ms, introspection %d ms",
                TABLES, (first - began) / 1_000_000, (System.nanoTime() - first) / 1_000_000);
    }
}
