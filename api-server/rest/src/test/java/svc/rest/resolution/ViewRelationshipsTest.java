package svc.rest.resolution;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.catalog.TestingSchema;

/** Views have the keys of the tables whose columns they show, and nothing else. */
class ViewRelationshipsTest {
    private static final String VIEWS = """
            CREATE TABLE clients (id int PRIMARY KEY, name text);
            CREATE TABLE projects (id int PRIMARY KEY, "client (id)" int REFERENCES clients, title text);
            CREATE TABLE pairs (a int, b int, PRIMARY KEY (a, b));
            CREATE TABLE points (id int PRIMARY KEY, x int, y int, FOREIGN KEY (x, y) REFERENCES pairs);
            CREATE TABLE tags (id int PRIMARY KEY);
            CREATE TABLE tagged (project int REFERENCES projects, tag int REFERENCES tags, PRIMARY KEY (project, tag));

            CREATE VIEW plain AS SELECT * FROM projects;
            CREATE VIEW renamed AS SELECT id AS number, "client (id)" AS "of {client}" FROM projects;
            CREATE VIEW second AS SELECT "of {client}" AS c, number AS n FROM renamed;
            CREATE VIEW third AS SELECT c AS deep, n FROM second WHERE c > 0;
            CREATE MATERIALIZED VIEW stored AS SELECT * FROM third;
            CREATE VIEW joined AS SELECT c.id AS client, c.name, p.id AS project, p."client (id)" AS fk
                FROM clients c LEFT JOIN projects p ON p."client (id)" = c.id;
            CREATE VIEW within AS SELECT s.k FROM (SELECT "client (id)" AS k FROM projects ORDER BY title OFFSET 0) s;
            CREATE VIEW common AS WITH w AS (SELECT "client (id)" AS k, id FROM projects) SELECT id, k FROM w;
            CREATE VIEW merged AS SELECT id, clients.name FROM clients JOIN tags USING (id);
            CREATE VIEW grouped AS SELECT "client (id)" AS k, count(*) FROM projects GROUP BY 1;
            CREATE VIEW computed AS SELECT "client (id)" + 0 AS k, coalesce(id, 0) AS id FROM projects;
            CREATE VIEW both_of AS SELECT "client (id)" AS k FROM projects UNION ALL SELECT id FROM clients;
            CREATE VIEW half AS SELECT id, x FROM points;
            CREATE VIEW whole AS SELECT y AS yy, x AS xx FROM points;
            CREATE VIEW twice AS SELECT id, "client (id)" AS one, "client (id)" AS two FROM projects;
            CREATE VIEW people AS SELECT id AS person FROM clients;
            CREATE VIEW tagging AS SELECT tag AS t, project AS p FROM tagged;
            CREATE VIEW inner_only AS SELECT (SELECT max("client (id)") FROM projects) AS k, name FROM clients;
            """;

    private static TestingSchema schema;

    @BeforeAll
    static void layOut() {
        schema = new TestingSchema("lineage1", VIEWS);
    }

    @AfterAll
    static void close() {
        schema.close();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            plain    | clients | many-to-one: projects_client (id)_fkey using plain(client (id)) and clients(id)
            renamed  | clients | many-to-one: projects_client (id)_fkey using renamed(of {client}) and clients(id)
            second   | clients | many-to-one: projects_client (id)_fkey using second(c) and clients(id)
            third    | clients | many-to-one: projects_client (id)_fkey using third(deep) and clients(id)
            stored   | clients | many-to-one: projects_client (id)_fkey using stored(deep) and clients(id)
            stored   | people  | many-to-one: projects_client (id)_fkey using stored(deep) and people(person)
            clients  | third   | one-to-many: projects_client (id)_fkey using clients(id) and third(deep)
            joined   | clients | many-to-one: projects_client (id)_fkey using joined(fk) and clients(id)
            joined   | plain   | one-to-many: projects_client (id)_fkey using joined(client) and plain(client (id))
            within   | clients | many-to-one: projects_client (id)_fkey using within(k) and clients(id)
            common   | clients | many-to-one: projects_client (id)_fkey using common(k) and clients(id)
            grouped  | clients | many-to-one: projects_client (id)_fkey using grouped(k) and clients(id)
            whole    | pairs   | many-to-one: points_x_y_fkey using whole(xx, yy) and pairs(a, b)
            twice    | clients | ambiguous 2
            twice    | clients!two | many-to-one: projects_client (id)_fkey using twice(two) and clients(id)
            projects | people  | many-to-one: projects_client (id)_fkey using projects(client (id)) and people(person)
            plain    | tags    | ambiguous 2
            plain    | tags!tagging | many-to-many: tagging using tagged_project_fkey(p) and tagged_tag_fkey(t)
            """)
    void isRelated(String origin, String target, String expected) {
        assertThat(TestingResolver.found(schema, origin, target)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"computed, clients", "both_of, clients", "half, pairs", "inner_only, projects", "grouped, tags"})
    void isNotRelated(String origin, String target) {
        assertThat(TestingResolver.resolve(schema, origin, target)).isInstanceOf(RelationshipResolution.None.class);
    }

    /** The names of a key and of its column mean the table, however many views show it. */
    @Test
    void aKeyNamesTheTableAlone() {
        assertThat(TestingResolver.found(schema, "people", "projects_client (id)_fkey"))
                .isEqualTo("one-to-many: projects_client (id)_fkey using people(person) and projects(client (id))");
        assertThat(TestingResolver.found(schema, "plain", "client (id)"))
                .isEqualTo("many-to-one: projects_client (id)_fkey using plain(client (id)) and clients(id)");
    }

    @Test
    void primaryKeysAreInherited() {
        assertThat(schema.table("plain").primaryKey()).containsExactly("id");
        assertThat(schema.table("third").primaryKey()).containsExactly("n");
        assertThat(schema.table("stored").primaryKey()).containsExactly("n");
        assertThat(schema.table("joined").primaryKey()).containsExactlyInAnyOrder("client", "project");
        assertThat(schema.table("tagging").primaryKey()).containsExactly("p", "t");
        assertThat(schema.table("computed").primaryKey()).isEmpty();
        assertThat(schema.table("both_of").primaryKey()).isEmpty();
        assertThat(schema.table("within").primaryKey()).isEmpty();
    }

    /** The parsed node tree contains names that the tenant chose. */
    @Test
    void namesThatLookLikeATreeAreNames() {
        schema.run("CREATE VIEW spiteful AS SELECT id AS \":targetList ({TARGETENTRY :resno 2 :resorigtbl 1\","
                + " \"client (id)\" AS \"\\ } ) :resorigcol 9 :resjunk true <> \"\"\" FROM projects");
        assertThat(TestingResolver.found(schema, "spiteful", "clients"))
                .isEqualTo("many-to-one: projects_client (id)_fkey using"
                        + " spiteful(\\ } ) :resorigcol 9 :resjunk true <> \") and clients(id)");
        assertThat(schema.table("spiteful").primaryKey())
                .containsExactly(":targetList ({TARGETENTRY :resno 2 :resorigtbl 1");
        schema.run("DROP VIEW spiteful");
    }

    @Test
    void aReplacedViewHasItsNewColumns() {
        schema.run("CREATE VIEW changing AS SELECT \"client (id)\" AS k FROM projects");
        assertThat(TestingResolver.found(schema, "changing", "clients")).startsWith("many-to-one");
        schema.run("CREATE OR REPLACE VIEW changing AS SELECT id AS k FROM projects");
        assertThat(TestingResolver.resolve(schema, "changing", "clients"))
                .isInstanceOf(RelationshipResolution.None.class);
        schema.run("DROP VIEW changing");
    }

    /** Each of 200 columns in three places of a key would be eight million forms. */
    @Test
    void aViewThatRepeatsItselfIsBounded() {
        var columns = new StringBuilder(
                "CREATE TABLE k3 (a int, b int, c int, PRIMARY KEY (a, b, c));"
                        + "CREATE TABLE f3 (a int, b int, c int, FOREIGN KEY (a, b, c) REFERENCES k3);CREATE VIEW v3 AS SELECT 1 AS one");
        for (int i = 0; i < 200; i++) {
            columns.append(", a AS a")
                    .append(i)
                    .append(", b AS b")
                    .append(i)
                    .append(", c AS c")
                    .append(i);
        }
        schema.run(columns.append(" FROM f3").toString());
        assertThat(TestingResolver.found(schema, "v3", "k3")).isEqualTo("ambiguous 64");
        schema.run("DROP VIEW v3");
    }
}
