package svc.management.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import svc.server.testing.TestingPlatform;

/** What clients read of the catalog first is there, and shows nothing of a neighbour's. */
@QuarkusTest
@QuarkusTestResource(value = TestingPlatform.class)
class ClientCatalogTest extends TestBesideNeighbour {
    private static List<String> statements() throws IOException {
        try (InputStream in = ClientCatalogTest.class.getResourceAsStream("catalog-statements.sql")) {
            String all = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            // The first paragraph is about the file.
            return Arrays.stream(all.split("\n\n")).skip(1).toList();
        }
    }

    private static String value(WireClient wire, String sql) throws IOException {
        List<WireClient.Message> answers = wire.query(sql);
        assertThat(WireClient.error(answers)).as(sql).isEmpty();
        return answers.get(1).type() == 'D' ? answers.get(1).text().substring(6) : "";
    }

    @Test
    void whatClientsAskOfTheCatalogIsAnswered() throws IOException {
        try (WireClient other = signedInAsNeighbour();
                WireClient wire = signedIn()) {
            other.query("create table secret_of_neighbour (id int primary key)");
            wire.query("create table parent (id int primary key, name text)");
            wire.query("create table child (id int primary key, parent int references parent, unique (parent, id))");
            List<String> answered = new ArrayList<>();
            var all = new SoftAssertions();
            for (String sql : statements()) {
                List<WireClient.Message> answers = wire.query(sql);
                all.assertThat(WireClient.error(answers)).as(sql).isEmpty();
                all.assertThat(answers)
                        .as(sql)
                        .noneMatch(message -> message.text().contains("secret_of_neighbour"));
                answered.add(sql);
            }
            all.assertAll();
            assertThat(answered).hasSizeGreaterThan(35);
        }
    }

    @Test
    void viewsShowTheProjectsOwn() throws IOException {
        try (WireClient wire = signedIn()) {
            wire.query("create table counted (id int primary key)");
            assertThat(value(wire, "select count(*) from pg_database")).isEqualTo("1");
            assertThat(value(wire, "select count(*) from pg_stat_all_tables where relname = 'counted'"))
                    .isEqualTo("1");
            assertThat(value(wire, "select count(*) from pg_user where usename = current_user"))
                    .isEqualTo("1");
            assertThat(value(
                            wire,
                            "select bool_and(usename = current_user and client_addr is null) from pg_stat_activity"))
                    .isEqualTo("t");
            assertThat(value(wire, "select setting from pg_settings where name = 'max_index_keys'"))
                    .isEqualTo("32");
            assertThat(value(wire, "select count(*) from pg_settings where name in ('data_directory', 'hba_file')"))
                    .isEqualTo("0");
            assertThat(value(wire, "select age(xmin) >= 0 from pg_class where relname = 'counted'"))
                    .isEqualTo("t");
            assertThat(value(wire, "select pg_describe_object('pg_class'::regclass, 'counted'::regclass, 1)"))
                    .startsWith("column id of table");
        }
    }
}
