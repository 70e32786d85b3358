package svc.rest;

import svc.platform.tenancy.RestSettings;
import svc.platform.tenancy.Tenant;
import svc.rest.testing.SharedDataPlane;
import svc.rest.testing.TestingDataPlane;
import svc.testing.TestingProjects;

/**
 * A project with clients, their projects, tasks and users, and a table with a column of each kind: the data of the tests of
 * reading. Aggregates are enabled.
 */
public final class ReadFixture {
    private static final String SCHEMA = """
            CREATE TABLE clients (id int PRIMARY KEY, name text, note text);
            CREATE TABLE projects (id int PRIMARY KEY, name text, client_id int REFERENCES clients, budget numeric);
            CREATE TABLE tasks (id int PRIMARY KEY, name text, project_id int REFERENCES projects);
            CREATE TABLE users (id int PRIMARY KEY, name text);
            CREATE TABLE users_tasks (user_id int REFERENCES users, task_id int REFERENCES tasks,
                PRIMARY KEY (user_id, task_id));
            CREATE TABLE detail (project_id int PRIMARY KEY REFERENCES projects, txt text);
            CREATE TABLE todo (id int PRIMARY KEY, task text, done boolean, due date, tags text[], extra jsonb,
                tsv tsvector, r int4range, "odd col" text);
            CREATE TABLE places (id int PRIMARY KEY, name text);
            CREATE TABLE trips (id int PRIMARY KEY, start int REFERENCES places, "end" int REFERENCES places);
            CREATE TABLE staff (id int PRIMARY KEY, name text, boss int REFERENCES staff);
            CREATE VIEW big_projects AS SELECT id, name, client_id FROM projects WHERE budget > 4;
            INSERT INTO clients VALUES (1, 'Microsoft', NULL), (2, 'Apple', 'n'), (3, 'None', NULL);
            INSERT INTO projects VALUES (1, 'Windows 7', 1, 10.50), (2, 'Windows 10', 1, 20), (3, 'IOS', 2, 5),
                (4, 'OSX', 2, 1), (5, 'Orphan', NULL, 0);
            INSERT INTO tasks VALUES (1, 'Design w7', 1), (2, 'Code w7', 1), (3, 'Design w10', 2), (4, 'Code w10', 2),
                (5, 'Design IOS', 3), (6, 'Code IOS', 3), (7, 'Design OSX', 4), (8, 'Code OSX', 4);
            INSERT INTO users VALUES (1, 'Angela'), (2, 'Michael'), (3, 'Dwight');
            INSERT INTO users_tasks VALUES (1, 1), (1, 2), (1, 3), (1, 4), (2, 5), (2, 6), (2, 7), (3, 1), (3, 5);
            INSERT INTO detail VALUES (1, 'd1'), (2, 'd2');
            INSERT INTO todo VALUES
                (1, 'wash', true, '2026-01-01', '{a,b}', '{"k":{"n":1},"l":["x","y"]}', 'the wash', '[1,5)', 'o1'),
                (2, 'cook', false, '2026-01-02', '{b}', '{"k":{"n":2}}', 'cook', '[5,9)', 'o2'),
                (3, 'a, "b" (c)', NULL, NULL, NULL, NULL, NULL, NULL, NULL);
            INSERT INTO places VALUES (1, 'Rome'), (2, 'Oslo');
            INSERT INTO trips VALUES (1, 1, 2);
            INSERT INTO staff VALUES (1, 'Ada', NULL), (2, 'Bob', 1), (3, 'Cy', 1);
            CREATE FUNCTION upper_name(clients) RETURNS text LANGUAGE sql STABLE AS 'SELECT upper($1.name)';
            CREATE FUNCTION client_projects(clients) RETURNS SETOF projects LANGUAGE sql STABLE
                AS 'SELECT * FROM projects WHERE client_id = $1.id';
            CREATE FUNCTION main_task(projects) RETURNS SETOF tasks ROWS 1 LANGUAGE sql STABLE
                AS 'SELECT * FROM tasks WHERE project_id = $1.id ORDER BY id LIMIT 1';
            """;

    private final TestingProjects projects;
    private final TestingDataPlane plane;
    private final Tenant tenant;

    private ReadFixture(TestingProjects projects, TestingDataPlane plane) {
        this.projects = projects;
        this.plane = plane;
        Tenant created = projects.project(SharedDataPlane.ref());
        projects.asOwner(created, SCHEMA);
        tenant = plane.serve(created, SharedDataPlane.ref(), created.rest().withAggregates());
    }

    /** The project that all classes of this JVM read, and none changes. */
    public static ReadFixture shared() {
        return Shared.FIXTURE;
    }

    /** A project that the caller may change. */
    public static ReadFixture ownProject() {
        return new ReadFixture(SharedDataPlane.PROJECTS, SharedDataPlane.PLANE);
    }

    /** A project in another database than the shared one. */
    public static ReadFixture in(TestingProjects projects, TestingDataPlane plane) {
        return new ReadFixture(projects, plane);
    }

    private static final class Shared {
        private static final ReadFixture FIXTURE = ownProject();
    }

    /** @param request method, path and query: {@code GET /todo?id=eq.1} */
    public RestCall ask(String request) {
        return RestCall.ask(plane, tenant, request);
    }

    /** Sends a request to the same project under other settings. */
    public RestCall ask(Tenant under, String request) {
        return RestCall.ask(plane, under, request);
    }

    /** Serves the same project once more, with other settings. */
    public Tenant serve(RestSettings settings) {
        return plane.serve(tenant, SharedDataPlane.ref(), settings);
    }

    public TestingDataPlane plane() {
        return plane;
    }

    public TestingProjects projects() {
        return projects;
    }

    public Tenant tenant() {
        return tenant;
    }
}
