package svc.bench.siege;

import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What owners of projects can write into the log of a database, which one reader reads for the realtime service of all. */
record LogAttacks(Tenant tenant, SiegeScale scale) {
    private static final int FEW = 3;
    private static final int VALUES = 100;
    private static final int WIDTH = 1_000;
    private static final int WIDE_TABLES = 5;
    private static final String PUBLISH = "ALTER PUBLICATION supabase_realtime ADD TABLE ";

    List<Attack> attacks() {
        return List.of(
                new Attack("poison row: " + scale.rowMebibytes() + " MiB when it is decoded", this::poisonRow),
                new Attack("unlogged: published tables that stop to be logged", this::unlogged),
                new Attack("long transaction: writes that stay open", this::longTransactions),
                new Attack("many rows: " + scale.rows() + " in one INSERT", this::manyRows),
                new Attack("locked tables: " + scale.tables() + " published ones", this::lockedTables),
                new Attack("wide tables: made, written and dropped", this::wideTables));
    }

    private Invasion poisonRow() throws IOException {
        int length = (int) (((long) scale.rowMebibytes() << 20) / VALUES);
        String values = IntStream.range(0, VALUES)
                .mapToObj(column -> "repeat('x', " + length + ")")
                .collect(Collectors.joining(","));
        return Invasion.of(tenant, "poison row", 1)
                .prepared("CREATE TABLE large (" + columns(VALUES, "text") + ");" + PUBLISH + "large")
                .scripts(1, "INSERT INTO large SELECT " + values + "; SELECT pg_sleep(5)");
    }

    private Invasion unlogged() throws IOException {
        return Invasion.of(tenant, "unlogged", FEW)
                .scripts(
                        1,
                        "DROP TABLE IF EXISTS u; CREATE TABLE u (id int);" + PUBLISH
                                + "u; ALTER TABLE u SET UNLOGGED; SELECT pg_sleep(1)");
    }

    private Invasion longTransactions() throws IOException {
        return Invasion.of(tenant, "long transaction", FEW)
                .prepared("CREATE TABLE w (id int)")
                .scripts(1, "INSERT INTO w VALUES (1); SELECT pg_sleep(55)");
    }

    private Invasion manyRows() throws IOException {
        return Invasion.of(tenant, "many rows", 1)
                .prepared("CREATE TABLE m (id int, t text);" + PUBLISH + "m")
                .scripts(
                        1,
                        "TRUNCATE m; INSERT INTO m SELECT g, 'row ' || g FROM generate_series(1, " + scale.rows()
                                + ") g");
    }

    private Invasion lockedTables() throws IOException {
        String names = IntStream.range(0, scale.tables()).mapToObj(i -> "l" + i).collect(Collectors.joining(","));
        String tables = IntStream.range(0, scale.tables())
                .mapToObj(i -> "CREATE TABLE l" + i + " (id int);")
                .collect(Collectors.joining());
        return Invasion.of(tenant, "locked tables", 1)
                .prepared(tables + PUBLISH + names)
                .scripts(1, "LOCK TABLE " + names + " IN SHARE MODE; SELECT pg_sleep(50)");
    }

    private Invasion wideTables() throws IOException {
        String script = IntStream.range(0, WIDE_TABLES)
                .mapToObj(i -> "CREATE TABLE wide" + i + " (" + columns(WIDTH, "int") + ");" + PUBLISH + "wide" + i
                        + "; INSERT INTO wide" + i + " DEFAULT VALUES; DROP TABLE wide" + i + ";")
                .collect(Collectors.joining());
        return Invasion.of(tenant, "wide tables", FEW).scripts(1, script);
    }

    private static String columns(int count, String type) {
        return IntStream.range(0, count).mapToObj(i -> "c" + i + " " + type).collect(Collectors.joining(","));
    }
}
