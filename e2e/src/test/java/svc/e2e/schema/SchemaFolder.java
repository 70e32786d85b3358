package svc.e2e.schema;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import svc.e2e.platform.Platform;
import svc.e2e.running.CommandLine;
import svc.e2e.running.ServerDatabase;

/**
 * A project of its own with the folder that is linked to it.
 *
 * @param schema the project's schema in the shared database
 */
record SchemaFolder(Platform platform, CommandLine line, String ref, String schema) {
    private static final String CATALOG = resource("catalog.sql");
    private static final String OF_SCHEMA = """
            WITH s AS (SELECT ?::text AS name)
            SELECT pg_temp.catalog(s.name) FROM s
            UNION ALL
            SELECT format('published %s', c.relname)
            FROM s JOIN svc_guard.published_table t ON t.schema_name = s.name AND t.publication = 'svc_realtime'
            JOIN pg_class c ON c.oid = t.table_oid""";

    static SchemaFolder in(Platform platform, Path folder) throws IOException {
        Files.createDirectories(folder);
        var environment = Map.of(
                "XDG_CONFIG_HOME", folder.resolve("config").toString(),
                "SVC_API_URL", platform.connection().baseUrl(),
                "SVC_ACCESS_TOKEN", platform.connection().token());
        var line = new CommandLine(folder, environment);
        var project = line.svc("projects", "create", "schema", "--json").json();
        line.svc("init").expect(0);
        line.svc("link", project.get("ref").asText()).expect(0);
        return new SchemaFolder(
                platform,
                line,
                project.get("ref").asText(),
                project.get("schema").asText());
    }

    SchemaFolder run(String script) throws IOException {
        line.svcWith(script, "db", "query").expect(0);
        return this;
    }

    SchemaFolder migration(String script) throws IOException {
        Path file = line.folder().resolve("svc/migrations/20300101000000_all.sql");
        Files.createDirectories(file.getParent());
        Files.writeString(file, script);
        return this;
    }

    String dump() throws IOException {
        return line.svc("db", "dump").expect(0).out();
    }

    String rows() throws IOException {
        return line.svc("db", "dump", "--data-only").expect(0).out();
    }

    /** The rows of a query as JSON. */
    String answer(String query) throws IOException {
        return line.svc("db", "query", query, "--json").json().toString();
    }

    /** A row for each row of the server's catalog that is about this schema, sorted, without the schema's name. */
    List<String> catalog() throws IOException, SQLException {
        try (var server = ServerDatabase.of(platform)) {
            return server.texts(CATALOG, OF_SCHEMA, schema).stream()
                    .map(row -> row.replace(schema, "public"))
                    .sorted()
                    .toList();
        }
    }

    /** The same without the places of columns: what is added to a table stands at its end. */
    List<String> catalogOfAnyOrder() throws IOException, SQLException {
        return catalog().stream().map(SchemaFolder::withoutPlace).toList();
    }

    private static String withoutPlace(String row) {
        int from = row.indexOf("\"at\": ");
        return from < 0 ? row : row.substring(0, from) + row.substring(row.indexOf(',', from));
    }

    private static String resource(String name) {
        try (var text = SchemaFolder.class.getResourceAsStream(name)) {
            return new String(text.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
