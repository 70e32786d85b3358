package svc.bench.siege;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import svc.bench.measure.BenchTables;
import svc.e2e.platform.Platform;

/** What an organisation that is not part of an attack does meanwhile, on the same database as the attackers. */
final class NeighbourActivities implements AutoCloseable {
    private static final String CONCURRENT_INDEX = "index, concurrently";

    /** PostgreSQL lets it wait for the end of every transaction of the database that is older, whichever project's it is. */
    static final Set<String> UNTARGETED = Set.of(CONCURRENT_INDEX);

    private static final String ADDRESS = "127.0.0.2";

    /** A project has 30 calls of SQL in a minute: the calls take turns. */
    private static final int OTHERS = 8;

    private static final String SETTINGS =
            "{\"auth\":{\"email\":{\"autoconfirm\":true},\"rateLimits\":" + "{\"signUpsPerHour\":1000000}}}";
    private static final String TABLES = """
            CREATE TABLE entry (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, title text);
            CREATE TABLE seen (id bigint PRIMARY KEY);
            ALTER PUBLICATION supabase_realtime ADD TABLE seen;
            """;
    private static final String STATEMENTS = """
            CREATE TABLE made%1$d (id int PRIMARY KEY, title text);
            ALTER TABLE made%1$d ADD COLUMN made timestamptz DEFAULT now();
            CREATE INDEX ON made%1$d (title);
            DROP TABLE made%1$d;
            """;
    private static final String PUBLISHED = """
            DROP TABLE IF EXISTS new%1$d;
            CREATE TABLE new%2$d (id bigint PRIMARY KEY);
            ALTER PUBLICATION supabase_realtime ADD TABLE new%2$d;
            """;

    private final Tenant tenant;
    private final JsonNode project;
    private final List<JsonNode> others = new ArrayList<>();
    private Subscription standing;
    private int users;
    private int scripts;
    private int indexes;
    private int newTables = OTHERS;
    private int newProjects;
    private long changes;

    NeighbourActivities(Platform platform) throws IOException {
        tenant = Tenant.create(platform, "neighbour", ADDRESS);
        project = tenant.project("neighbour");
        tenant.query(project, BenchTables.item() + TABLES).expect(201);
        tenant.settings(project, SETTINGS).expect(200);
        for (int i = 0; i < OTHERS; i++) {
            JsonNode other = tenant.project("neighbour " + i);
            tenant.query(other, "CREATE TABLE indexed (id int)").expect(201);
            others.add(other);
        }
    }

    List<Activity> all() {
        return List.of(
                new Activity("read", Duration.ofMillis(20), this::read),
                new Activity("insert", Duration.ofMillis(50), this::insert),
                new Activity("DDL", Duration.ofMillis(700), this::statements),
                new Activity(CONCURRENT_INDEX, Duration.ofSeconds(2), this::index),
                new Activity("sign-up", Duration.ofMillis(300), this::signUp),
                new Activity("new project, first user", Duration.ofSeconds(2), this::newProject),
                new Activity("change", Duration.ofMillis(100), this::change),
                new Activity("new table's first change", Duration.ofSeconds(1), this::newTable));
    }

    private Duration read() throws IOException {
        long begin = System.nanoTime();
        tenant.send(tenant.data(project, "/rest/v1/item?select=id,title&id=eq.7")
                        .GET())
                .expect(200);
        return since(begin);
    }

    private Duration insert() throws IOException {
        long begin = System.nanoTime();
        tenant.post(project, "/rest/v1/entry", Map.of("title", "entry")).expect(201);
        return since(begin);
    }

    private Duration statements() throws IOException {
        int number = scripts++;
        long begin = System.nanoTime();
        tenant.query(other(number), STATEMENTS.formatted(number)).expect(201);
        return since(begin);
    }

    private Duration index() throws IOException {
        int number = indexes++;
        long begin = System.nanoTime();
        tenant.query(other(number), "CREATE INDEX CONCURRENTLY ON indexed (id)").expect(201);
        return since(begin);
    }

    private Duration signUp() throws IOException {
        int number = users++;
        long begin = System.nanoTime();
        signUp(project, number);
        return since(begin);
    }

    private void signUp(JsonNode in, int number) throws IOException {
        tenant.post(
                        in,
                        "/auth/v1/signup",
                        Map.of("email", "user" + number + "@example.com", "password", "correct horse"))
                .expect(200);
    }

    /** The first sign-up is part of it: it makes the tables of the auth service. */
    private Duration newProject() throws IOException {
        long begin = System.nanoTime();
        JsonNode made = tenant.project("new " + newProjects++);
        try {
            signUp(made, 0);
            return since(begin);
        } finally {
            tenant.delete(made);
        }
    }

    /** From the call that inserts a row until a subscriber that was there before receives it. */
    private Duration change() throws IOException, InterruptedException {
        if (standing == null || !standing.isOpen()) {
            standing = Subscription.open(tenant, project, "seen");
        }
        return inserted(standing, project, "seen", changes++);
    }

    /** From the script that makes and publishes a table until a new subscriber receives its first row. */
    private Duration newTable() throws IOException, InterruptedException {
        int number = newTables++;
        JsonNode owner = other(number);
        long begin = System.nanoTime();
        tenant.query(owner, PUBLISHED.formatted(number - OTHERS, number)).expect(201);
        try (Subscription subscription = Subscription.open(tenant, owner, "new" + number)) {
            inserted(subscription, owner, "new" + number, 1);
        }
        return since(begin);
    }

    private Duration inserted(Subscription subscription, JsonNode owner, String table, long id)
            throws IOException, InterruptedException {
        subscription.expect(id);
        long begin = System.nanoTime();
        tenant.post(owner, "/rest/v1/" + table, Map.of("id", id)).expect(201);
        subscription.await(id);
        return since(begin);
    }

    private JsonNode other(int number) {
        return others.get(number % OTHERS);
    }

    private static Duration since(long begin) {
        return Duration.ofNanos(System.nanoTime() - begin);
    }

    @Override
    public void close() {
        if (standing != null) {
            standing.close();
        }
    }
}
