package svc.rest.resolution;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.catalog.TestingSchema;

/** What a target and a hint name, by PostgREST's rules. */
class RelationshipResolverTest {
    private static final String TABLES = """
            CREATE TABLE clients (id int PRIMARY KEY, name text);
            CREATE TABLE projects (id int PRIMARY KEY, client_id int REFERENCES clients);
            CREATE TABLE passports (id int PRIMARY KEY, owner int UNIQUE REFERENCES clients);
            CREATE TABLE details (project_id int PRIMARY KEY REFERENCES projects);
            CREATE TABLE users (id int PRIMARY KEY);
            CREATE TABLE tasks (id int PRIMARY KEY);
            CREATE TABLE users_tasks (user_id int REFERENCES users, task_id int REFERENCES tasks,
                since date, PRIMARY KEY (user_id, task_id, since));
            CREATE TABLE no_junction (id int PRIMARY KEY, user_id int REFERENCES users, client_id int REFERENCES clients);
            CREATE TABLE addresses (id int PRIMARY KEY);
            CREATE TABLE orders (id int PRIMARY KEY, billing_id int, shipping_id int,
                CONSTRAINT billing FOREIGN KEY (billing_id) REFERENCES addresses,
                CONSTRAINT shipping FOREIGN KEY (shipping_id) REFERENCES addresses);
            CREATE TABLE family (id int PRIMARY KEY, parent int REFERENCES family);
            CREATE TABLE firms (id int PRIMARY KEY, referee int REFERENCES firms, auditor int REFERENCES firms);
            CREATE TABLE pairs (a int, b int, PRIMARY KEY (a, b));
            CREATE TABLE points (id int PRIMARY KEY, y int, x int, FOREIGN KEY (y, x) REFERENCES pairs (b, a));
            CREATE TABLE events (id int, day date, client_id int REFERENCES clients, PRIMARY KEY (id, day))
                PARTITION BY RANGE (day);
            CREATE TABLE events_new PARTITION OF events DEFAULT;
            CREATE FUNCTION newest(clients) RETURNS SETOF projects ROWS 1 STABLE LANGUAGE sql
                AS 'SELECT * FROM projects WHERE client_id = $1.id ORDER BY id DESC LIMIT 1';
            CREATE FUNCTION all_of(clients) RETURNS SETOF projects STABLE LANGUAGE sql AS 'SELECT * FROM projects';
            CREATE FUNCTION one_of(projects) RETURNS clients STABLE LANGUAGE sql AS 'SELECT * FROM clients LIMIT 1';
            CREATE FUNCTION addresses(orders) RETURNS SETOF addresses ROWS 1 STABLE LANGUAGE sql
                AS 'SELECT * FROM addresses WHERE id = $1.billing_id';
            """;

    private static TestingSchema schema;

    @BeforeAll
    static void layOut() {
        schema = new TestingSchema("related1", TABLES);
    }

    @AfterAll
    static void close() {
        schema.close();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            projects  | clients                         | many-to-one: projects_client_id_fkey using projects(client_id) and clients(id)
            projects  | client_id                       | many-to-one: projects_client_id_fkey using projects(client_id) and clients(id)
            projects  | projects_client_id_fkey         | many-to-one: projects_client_id_fkey using projects(client_id) and clients(id)
            projects  | clients!projects_client_id_fkey | many-to-one: projects_client_id_fkey using projects(client_id) and clients(id)
            projects  | clients!client_id               | many-to-one: projects_client_id_fkey using projects(client_id) and clients(id)
            projects  | clients!id                      | many-to-one: projects_client_id_fkey using projects(client_id) and clients(id)
            clients   | projects                        | one-to-many: projects_client_id_fkey using clients(id) and projects(client_id)
            clients   | projects!client_id              | one-to-many: projects_client_id_fkey using clients(id) and projects(client_id)
            clients   | passports                       | one-to-one: passports_owner_fkey using clients(id) and passports(owner)
            passports | clients                         | one-to-one: passports_owner_fkey using passports(owner) and clients(id)
            projects  | details                         | one-to-one: details_project_id_fkey using projects(id) and details(project_id)
            users     | tasks                           | many-to-many: users_tasks using users_tasks_user_id_fkey(user_id) and users_tasks_task_id_fkey(task_id)
            users     | tasks!users_tasks               | many-to-many: users_tasks using users_tasks_user_id_fkey(user_id) and users_tasks_task_id_fkey(task_id)
            tasks     | users                           | many-to-many: users_tasks using users_tasks_task_id_fkey(task_id) and users_tasks_user_id_fkey(user_id)
            orders    | addresses!billing               | computed addresses to addresses one
            addresses | orders!shipping_id              | one-to-many: shipping using addresses(id) and orders(shipping_id)
            family    | family                          | one-to-many: family_parent_fkey using family(id) and family(parent)
            family    | family!parent                   | one-to-many: family_parent_fkey using family(id) and family(parent)
            family    | parent                          | many-to-one: family_parent_fkey using family(parent) and family(id)
            firms     | firms!auditor                   | one-to-many: firms_auditor_fkey using firms(id) and firms(auditor)
            firms     | referee                         | many-to-one: firms_referee_fkey using firms(referee) and firms(id)
            points    | pairs                           | many-to-one: points_y_x_fkey using points(y, x) and pairs(b, a)
            pairs     | points                          | one-to-many: points_y_x_fkey using pairs(b, a) and points(y, x)
            events    | clients                         | many-to-one: events_client_id_fkey using events(client_id) and clients(id)
            clients   | newest                          | computed newest to projects one
            clients   | all_of                          | computed all_of to projects many
            projects  | one_of                          | computed one_of to clients one
            firms     | firms                           | ambiguous 2
            addresses | orders                          | ambiguous 2
            """)
    void isFound(String origin, String target, String expected) {
        assertThat(TestingResolver.found(schema, origin, target)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "users, clients",
        "projects, clients!nothing",
        "projects, passports!id",
        "clients, events_new",
        "events_new, clients",
        "points, y",
        // The function of that name stands in for all that leads to the table.
        "orders, billing",
        "pairs, pairs"
    })
    void isNotRelated(String origin, String target) {
        assertThat(TestingResolver.resolve(schema, origin, target)).isInstanceOf(RelationshipResolution.None.class);
    }

    /** PGRST201's details and hint, to the letter. */
    @Test
    void whatCannotBeChosenIsListed() {
        var ambiguous = (RelationshipResolution.Ambiguous) TestingResolver.resolve(schema, "addresses", "orders");
        assertThat(ambiguous.candidates())
                .containsExactly(
                        new RelationshipResolution.Candidate(
                                "one-to-many",
                                "addresses with orders",
                                "billing using addresses(id) and orders(billing_id)"),
                        new RelationshipResolution.Candidate(
                                "one-to-many",
                                "addresses with orders",
                                "shipping using addresses(id) and orders(shipping_id)"));
        assertThat(ambiguous.hint())
                .isEqualTo("Try changing 'orders' to one of the following: 'orders!billing', 'orders!shipping'."
                        + " Find the desired relationship in the 'details' key.");
    }
}
