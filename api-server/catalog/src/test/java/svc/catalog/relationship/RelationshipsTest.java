package svc.catalog.relationship;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.catalog.Relationship;
import svc.catalog.Relationship.Cardinality;
import svc.catalog.Relationships;
import svc.catalog.TestingSchema;

/** The relationships that foreign keys and functions give to the relations of a schema, and to views over them. */
class RelationshipsTest {
    private static TestingSchema schema;

    @BeforeAll
    static void layOut() {
        schema = new TestingSchema("related1", """
                CREATE TABLE clients (id int PRIMARY KEY);
                CREATE TABLE projects (id int PRIMARY KEY, client_id int REFERENCES clients);
                CREATE TABLE passports (id int PRIMARY KEY, owner int UNIQUE REFERENCES clients);
                CREATE TABLE tags (id int PRIMARY KEY);
                CREATE TABLE tagged (project int REFERENCES projects, tag int REFERENCES tags, PRIMARY KEY (project, tag));
                CREATE TABLE alone (id int PRIMARY KEY);
                CREATE VIEW shown AS SELECT id, client_id FROM projects;
                CREATE FUNCTION newest(clients) RETURNS SETOF projects ROWS 1 STABLE LANGUAGE sql
                    AS 'SELECT * FROM projects LIMIT 1';
                """);
    }

    @AfterAll
    static void close() {
        schema.close();
    }

    private static Relationships relationships() {
        return schema.schema().relationships();
    }

    @Test
    void aForeignKeyIsOneRelationshipInEachDirection() {
        assertThat(relationships().direct(schema.name("passports")))
                .singleElement()
                .satisfies(one -> assertThat(one.foreignTable()).isEqualTo(schema.name("clients")))
                .satisfies(one -> assertThat(one.cardinality()).isInstanceOf(Cardinality.OneToOne.class));
        assertThat(relationships().direct(schema.name("clients")))
                .extracting(one -> one.foreignTable().name() + " " + one.toOne())
                .containsExactlyInAnyOrder("projects false", "shown false", "passports true");
    }

    @Test
    void aViewHasTheForeignKeysThatItShows() {
        assertThat(relationships().toOneOf(schema.name("shown")))
                .singleElement()
                .satisfies(one -> assertThat(one.tableIsView()).isTrue())
                .extracting(Relationship.Detected::foreignTable)
                .isEqualTo(schema.name("clients"));
    }

    @Test
    void aJunctionRelatesWhatItReferences() {
        assertThat(relationships().manyToMany(schema.name("projects"), schema.name("tags")))
                .singleElement()
                .satisfies(many -> assertThat(many.cardinality())
                        .isInstanceOfSatisfying(
                                Cardinality.ManyToMany.class,
                                through ->
                                        assertThat(through.junction().table()).isEqualTo(schema.name("tagged"))));
        assertThat(relationships().manyToMany(schema.name("projects"), schema.name("clients")))
                .isEmpty();
    }

    @Test
    void aFunctionOfARowIsAComputedRelationship() {
        assertThat(relationships().computed(schema.name("clients")))
                .singleElement()
                .satisfies(one -> {
                    assertThat(one.function()).isEqualTo(schema.name("newest"));
                    assertThat(one.foreignTable()).isEqualTo(schema.name("projects"));
                    assertThat(one.toOne()).isTrue();
                });
    }

    @Test
    void aRelationIsRelatedDirectlyThroughAJunctionOrByAFunction() {
        assertThat(relationships().relatedTo(schema.name("projects")))
                .contains(schema.name("clients"), schema.name("tagged"), schema.name("tags"))
                .doesNotContain(schema.name("passports"), schema.name("alone"));
        assertThat(relationships().relatedTo(schema.name("alone"))).isEmpty();
        assertThat(relationships().tables())
                .doesNotContain(schema.name("alone"))
                .contains(schema.name("shown"));
    }
}
