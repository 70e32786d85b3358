package svc.rest.resolution;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.catalog.ProjectSchema;
import svc.catalog.QualifiedIdentifier;
import svc.catalog.Relationship;
import svc.catalog.SchemaScope;
import svc.catalog.TestingSchema;
import svc.rest.resolution.RelationshipResolution.Found;

/** Several exposed schemas, one in the extra search path, and one that only views read. */
class SeveralSchemasTest {
    private static TestingSchema project;
    private static ProjectSchema schema;

    @BeforeAll
    static void layOut() {
        project = new TestingSchema("several1", "CREATE TABLE own (id int PRIMARY KEY)");
        project.projects().asOperator("""
                CREATE SCHEMA api; CREATE SCHEMA api2; CREATE SCHEMA lends; CREATE SCHEMA private;
                CREATE TABLE private.people (id int PRIMARY KEY, name text);
                CREATE TABLE private.groups (id int PRIMARY KEY);
                CREATE TABLE private.members (person int REFERENCES private.people, grp int REFERENCES private.groups,
                    PRIMARY KEY (person, grp));
                CREATE VIEW private.step AS SELECT id AS pid, name FROM private.people;
                CREATE VIEW api.people AS SELECT pid AS id, name FROM private.step;
                CREATE VIEW api.groups AS SELECT * FROM private.groups;
                CREATE VIEW api.members AS SELECT * FROM private.members;
                CREATE TABLE api.notes (id int PRIMARY KEY, person int REFERENCES private.people);
                CREATE TABLE api2.notes (id int PRIMARY KEY, note int REFERENCES api.notes);
                CREATE FUNCTION lends.shout(api.people) RETURNS text STABLE LANGUAGE sql AS 'SELECT upper($1.name)';
                CREATE FUNCTION lends.newest(api.people) RETURNS SETOF api.notes ROWS 1 STABLE LANGUAGE sql
                    AS 'SELECT * FROM api.notes';
                CREATE FUNCTION lends.called(a int) RETURNS int LANGUAGE sql AS 'SELECT 1';
                CREATE FUNCTION api2.called(a int) RETURNS int LANGUAGE sql AS 'SELECT 1';
                COMMENT ON SCHEMA api IS 'The API';
                """);
        schema = project.schemas()
                .get(new SchemaScope(project.tenant().database(), List.of("api", "api2"), List.of("lends")));
    }

    @AfterAll
    static void close() {
        project.close();
    }

    private static QualifiedIdentifier api(String name) {
        return new QualifiedIdentifier("api", name);
    }

    private static RelationshipResolution resolve(QualifiedIdentifier origin, String target) {
        return new RelationshipResolver(schema.relationships()).resolve(origin, target, Optional.empty());
    }

    @Test
    void theFirstIsTheDefault() {
        assertThat(schema.table("notes").orElseThrow().id()).isEqualTo(api("notes"));
        assertThat(schema.table(new QualifiedIdentifier("api2", "notes"))).isPresent();
        assertThat(schema.table(new QualifiedIdentifier("private", "people"))).isEmpty();
        assertThat(schema.tables()).hasSize(5);
        assertThat(schema.descriptions()).containsEntry("api", "The API").hasSize(1);
    }

    /** Also if all tables are in a schema that is not exposed. */
    @Test
    void viewsAreRelatedThroughWhatLiesUnderThem() {
        assertThat(resolve(api("notes"), "people")).isInstanceOf(Found.class);
        assertThat(resolve(api("people"), "groups"))
                .isInstanceOfSatisfying(
                        Found.class,
                        found -> assertThat(found.relationship())
                                .isInstanceOfSatisfying(
                                        Relationship.Detected.class,
                                        many -> assertThat(many.cardinality())
                                                .isInstanceOf(Relationship.Cardinality.ManyToMany.class)));
        assertThat(schema.table("people").orElseThrow().primaryKey()).containsExactly("id");
    }

    /** Both ends lie in the schema of the request. */
    @Test
    void aKeyIntoAnotherSchemaIsNoRelationship() {
        assertThat(resolve(new QualifiedIdentifier("api2", "notes"), "people"))
                .isInstanceOf(RelationshipResolution.None.class);
        assertThat(resolve(api("notes"), "api2")).isInstanceOf(RelationshipResolution.None.class);
        assertThat(resolve(new QualifiedIdentifier("api2", "notes"), "note"))
                .isInstanceOf(RelationshipResolution.None.class);
    }

    @Test
    void theExtraSearchPathLendsFunctionsOfRowsAndNothingElse() {
        assertThat(schema.routines().computedColumn(api("people"), "shout")).isPresent();
        assertThat(resolve(api("people"), "newest"))
                .isInstanceOfSatisfying(
                        Found.class,
                        found -> assertThat(found.relationship().toOne()).isTrue());
        assertThat(schema.routines().named(new QualifiedIdentifier("lends", "called")))
                .isEmpty();
        assertThat(schema.routines().named(new QualifiedIdentifier("api2", "called")))
                .hasSize(1);
    }

    /** The same database holds both; neither takes the other's place. */
    @Test
    void scopesAreKeptApart() {
        assertThat(project.schema().table("own")).isPresent();
        assertThat(project.schema().table("notes")).isEmpty();
        assertThat(schema.table("own")).isEmpty();
    }
}
