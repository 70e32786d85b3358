package svc.embedded.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the launcher has fetched beside the server's own extensions loads and works. */
class FetchedExtensionsTest {
    @TempDir
    Path folder;

    @Test
    void vectorsAreIndexedAndCompared() throws SQLException {
        assumeThat(PostgresExtensions.found())
                .as("the extension vector was fetched")
                .isPresent();
        EmbeddedPostgres server = EmbeddedPostgres.shared();
        try (Connection connection = server.connect(server.createDatabase("vector"));
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE EXTENSION vector; CREATE TABLE items (id int, embedding vector(3));"
                    + " INSERT INTO items SELECT i, format('[%s,1,0]', i)::vector FROM generate_series(1, 200) i;"
                    + " CREATE INDEX ON items USING hnsw (embedding vector_l2_ops);"
                    + " CREATE INDEX ON items USING ivfflat (embedding vector_cosine_ops) WITH (lists = 2);"
                    + " SET enable_seqscan = off");
            try (var rows = statement.executeQuery("SELECT id FROM items ORDER BY embedding <-> '[42,1,0]' LIMIT 1")) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.getInt(1)).isEqualTo(42);
            }
        }
    }

    @Test
    void filesOfAnyOtherFolderAreNoExtensions() throws Exception {
        Files.createDirectories(folder.resolve("lib"));
        Files.createDirectories(folder.resolve("extension"));
        Files.createDirectories(folder.resolve("bin"));
        Files.writeString(folder.resolve("lib/a.so"), "a");
        Files.writeString(folder.resolve("extension/a.control"), "b");
        var extensions = new PostgresExtensions(folder);
        String before = extensions.digest();
        Files.writeString(folder.resolve("bin/postgres"), "c");
        assertThat(extensions.digest()).isEqualTo(before);
        Path home = Files.createDirectories(folder.resolve("home"));
        Files.createDirectories(home.resolve("lib/postgresql"));
        Files.createDirectories(home.resolve("share/postgresql/extension"));
        extensions.copyTo(home);
        assertThat(home.resolve("lib/postgresql/a.so")).hasContent("a");
        assertThat(home.resolve("share/postgresql/extension/a.control")).hasContent("b");
        assertThat(home.resolve("lib/postgresql/postgres")).doesNotExist();
    }
}
