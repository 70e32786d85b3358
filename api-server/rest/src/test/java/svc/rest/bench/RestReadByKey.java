package svc.rest.bench;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import svc.database.name.DatabaseRole;
import svc.platform.tenancy.Tenant;
import svc.postgres.pool.PoolSettings;
import svc.rest.testing.TestingDataPlane;
import svc.testing.TestingProjects;

/**
 * One row by its key through the REST service, and the peer: the same transaction sent to PostgreSQL statement by
 * statement, each a round trip, as pgbench does with prepared statements. Both in one run, alternating, on one server,
 * with the load from this process.
 */
public final class RestReadByKey {
    private static final int ROWS = 10_000;

    private final int callers;
    private final int rounds;
    private final double seconds;

    /** @param rounds of each, {@code seconds} long; the medians are compared */
    public RestReadByKey(int callers, int rounds, double seconds) {
        this.callers = callers;
        this.rounds = rounds;
        this.seconds = seconds;
    }

    /** Requests per second, and transactions per second of the peer. */
    public record Result(double rest, double peer) {
        public double ratio() {
            return rest / peer;
        }
    }

    public static void main(String[] arguments) {
        Result result = new RestReadByKey(32, 5, 4).measure();
        System.out.printf(
                "REST read by key %.0f/s, the same statements one by one %.0f/s, ratio %.2f%n",
                result.rest(), result.peer(), result.ratio());
        System.exit(0);
    }

    public Result measure() {
        var projects = TestingProjects.create();
        Tenant tenant = projects.project("bench123");
        projects.asOwner(
                tenant,
                "CREATE TABLE item (id int PRIMARY KEY, name text, price numeric, made timestamptz DEFAULT now());"
                        + "INSERT INTO item SELECT i, 'item ' || i, i * 1.5 FROM generate_series(1, " + ROWS + ") i;"
                        + "ANALYZE item");
        // Room for both sides' connections at once.
        projects.asOperator(
                "ALTER ROLE " + tenant.names().role(DatabaseRole.API).sql() + " CONNECTION LIMIT 200");
        PoolSettings settings = PoolSettings.defaults().withCap(callers).withPerLogin(callers);
        try (var plane = new TestingDataPlane(projects, settings, true)) {
            plane.serve(tenant);
            var load = new Load(callers);
            Load.Callers rest = () -> new HttpCaller(plane.port(), tenant.ref());
            Load.Callers peer = () -> new StatementCaller(projects, tenant);
            load.perSecond(rest, 2 * seconds, ROWS);
            load.perSecond(peer, seconds, ROWS);
            List<Double> ofRest = new ArrayList<>();
            List<Double> ofPeer = new ArrayList<>();
            for (int i = 0; i < rounds; i++) {
                ofRest.add(load.perSecond(rest, seconds, ROWS));
                ofPeer.add(load.perSecond(peer, seconds, ROWS));
            }
            return new Result(median(ofRest), median(ofPeer));
        }
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }

    /** A keep-alive connection that asks and reads to the end of the body. */
    private static final class HttpCaller implements Load.Caller {
        private final Socket socket;
        private final OutputStream out;
        private final InputStream in;
        private final String ref;

        HttpCaller(int port, String ref) throws IOException {
            this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setTcpNoDelay(true);
            this.out = socket.getOutputStream();
            this.in = new BufferedInputStream(socket.getInputStream());
            this.ref = ref;
        }

        @Override
        public void once(int key) throws IOException {
            out.write(("GET /" + ref + "/item?select=id,name,price,made&id=eq." + key
                            + " HTTP/1.1\r\nHost: " + ref + ".localhost\r\nAccept: application/json\r\n"
                            + "User-Agent: bench\r\nX-Client-Info: supabase-js/2\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            out.flush();
            String status = line();
            if (!status.contains(" 200 ")) {
                throw new IOException(status);
            }
            int length = 0;
            for (String header = line(); !header.isEmpty(); header = line()) {
                if (header.regionMatches(true, 0, "content-length:", 0, 15)) {
                    length = Integer.parseInt(header.substring(15).strip());
                }
            }
            if (in.readNBytes(length).length < 20) {
                throw new IOException("no row");
            }
        }

        private String line() throws IOException {
            var line = new StringBuilder();
            for (int c = in.read(); c != '\n'; c = in.read()) {
                if (c < 0) {
                    throw new IOException("the server closed the connection");
                }
                if (c != '\r') {
                    line.append((char) c);
                }
            }
            return line.toString();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    /** The statements of one request, each sent alone. */
    private static final class StatementCaller implements Load.Caller {
        private final Connection connection;
        private final List<PreparedStatement> statements;
        private final PreparedStatement query;

        StatementCaller(TestingProjects projects, Tenant tenant) throws Exception {
            String schema = tenant.names().schemaName();
            this.connection = TestingProjects.SERVER.connect(
                    projects.database(), schema + "_api", projects.password(tenant, DatabaseRole.API));
            PreparedStatement begin = prepare("BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY");
            PreparedStatement settings =
                    prepare("SELECT set_config('search_path', ?, true), set_config('role', ?, true),"
                            + " set_config('request.jwt.claims', ?, true), set_config('request.method', ?, true),"
                            + " set_config('request.path', ?, true), set_config('request.headers', ?, true)");
            List<String> values = List.of(
                    schema + ", svc_views, pg_catalog, extensions",
                    schema + "_anon",
                    "{\"role\":\"anon\"}",
                    "GET",
                    "/item",
                    "{\"host\":\"bench123.localhost\",\"accept\":\"application/json\"}");
            for (int i = 0; i < values.size(); i++) {
                settings.setString(i + 1, values.get(i));
            }
            this.query = prepare("SELECT NULL, count(*), COALESCE((json_agg(_t))::text, '[]') FROM (SELECT item.id,"
                    + " item.name, item.price, item.made FROM " + schema + ".item WHERE item.id = ? LIMIT 1000) _t");
            this.statements = Arrays.asList(begin, settings, query, prepare("COMMIT"));
        }

        private PreparedStatement prepare(String sql) throws Exception {
            PreparedStatement statement = connection.prepareStatement(sql);
            statement.unwrap(org.postgresql.PGStatement.class).setPrepareThreshold(1);
            return statement;
        }

        @Override
        public void once(int key) throws Exception {
            query.setInt(1, key);
            for (PreparedStatement statement : statements) {
                statement.execute();
            }
        }

        @Override
        public void close() throws Exception {
            connection.close();
        }
    }
}
