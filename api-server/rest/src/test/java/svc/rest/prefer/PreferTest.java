package svc.rest.prefer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import svc.crds.project.service.TransactionEnd;
import svc.rest.WritingFixture;

/** Preferences about transactions and time zones, and those that are not understood. */
class PreferTest {
    private static WritingFixture fixture;

    @BeforeAll
    static void serve() {
        fixture = WritingFixture.serve("""
            CREATE TABLE item (id int PRIMARY KEY, at timestamptz DEFAULT '2026-01-01T12:00:00Z');
            CREATE FUNCTION add_item(id int) RETURNS int LANGUAGE sql
                AS 'INSERT INTO item VALUES (id) RETURNING item.id';
            """);
    }

    @Test
    void aTransactionEndsAsTheProjectAndTheCallerWant() {
        fixture.ask("POST /item")
                .prefer("tx=rollback")
                .body("{\"id\":1}")
                .status(201)
                .hasNot("Preference-Applied");
        fixture.also(false, null, TransactionEnd.COMMIT_ALLOW_OVERRIDE);
        fixture.askOther("POST /item?select=id")
                .prefer("return=representation, tx=rollback")
                .body("{\"id\":2}")
                .status(201)
                .has("Preference-Applied", "return=representation, tx=rollback")
                .answers("[{\"id\":2}]");
        fixture.askOther("POST /rpc/add_item")
                .prefer("tx=rollback")
                .body("{\"id\":3}")
                .answers("3");
        fixture.askOther("POST /item").body("{\"id\":4}").status(201);
        fixture.also(false, null, TransactionEnd.ROLLBACK);
        fixture.askOther("POST /item")
                .prefer("tx=commit")
                .body("{\"id\":5}")
                .status(201)
                .hasNot("Preference-Applied");
        fixture.also(false, null, TransactionEnd.ROLLBACK_ALLOW_OVERRIDE);
        fixture.askOther("POST /item").body("{\"id\":6}").status(201);
        fixture.askOther("POST /item")
                .prefer("tx=commit")
                .body("{\"id\":7}")
                .status(201)
                .has("Preference-Applied", "tx=commit");
        assertThat(fixture.stored("string_agg(id::text, ',' ORDER BY id) FROM $item"))
                .isEqualTo("1,4,7");
    }

    @Test
    void timesAreShownInTheTimezoneThatIsPreferred() {
        fixture.asOwner("INSERT INTO item VALUES (100)");
        fixture.ask("GET /item?id=eq.100&select=at")
                .prefer("timezone=America/Los_Angeles")
                .has("Preference-Applied", "timezone=America/Los_Angeles")
                .answers("[{\"at\":\"2026-01-01T04:00:00-08:00\"}]");
        fixture.ask("GET /item?id=eq.100&select=at")
                .prefer("timezone=america/los_angeles")
                .answers("[{\"at\":\"2026-01-01T04:00:00-08:00\"}]");
        fixture.asOwner("DELETE FROM item WHERE id = 100");
    }

    /** A number counts hours to the east, the form of POSIX hours to the west: PostgreSQL reads both so. */
    @ParameterizedTest
    @CsvSource({
        "5.5, 17:30:00+05:30",
        "-8, 04:00:00-08:00",
        "+9, 21:00:00+09:00",
        "+05:30, 06:30:00-05:30",
        "-03:00, 15:00:00+03:00"
    })
    void offsetsApply(String offset, String shown) {
        fixture.asOwner("INSERT INTO item VALUES (101)");
        fixture.ask("GET /item?id=eq.101&select=at")
                .prefer("timezone=" + offset)
                .has("Preference-Applied", "timezone=" + offset)
                .answers("[{\"at\":\"2026-01-01T" + shown + "\"}]");
        fixture.asOwner("DELETE FROM item WHERE id = 101");
    }

    /** The last ones PostgreSQL accepts, but a session keeps each of them. */
    @ParameterizedTest
    @ValueSource(strings = {"Nowhere/Land", "99", "5.123", "+05:31", "A1:00:01", "../../etc/passwd", "x'y"})
    void aTimezoneThatDoesNotExistIsRefusedWhateverTheHandling(String zone) {
        for (String handling : new String[] {"", "handling=strict, ", "handling=lenient, "}) {
            fixture.ask("GET /item?limit=1")
                    .prefer(handling + "timezone=" + zone)
                    .fails(400, "22023")
                    .contains("invalid value for parameter \\\"TimeZone\\\": \\\"" + zone + "\\\"");
        }
    }

    @Test
    void aRehearsalChecksWhatACommitWouldCheck() {
        fixture.asOwner("CREATE TABLE part (id int, item int REFERENCES item DEFERRABLE INITIALLY DEFERRED)");
        fixture.also(false, null, TransactionEnd.COMMIT_ALLOW_OVERRIDE);
        fixture.askOther("POST /part")
                .prefer("tx=rollback")
                .body("{\"id\":1,\"item\":999}")
                .fails(409, "23503");
        fixture.askOther("POST /")
                .prefer("tx=rollback")
                .body("[{\"method\":\"POST\",\"path\":\"/part\",\"body\":{\"id\":1,\"item\":999}}]")
                .fails(409, "23503");
        fixture.askOther("POST /part")
                .prefer("tx=rollback")
                .body("{\"id\":1,\"item\":null}")
                .status(201);
        assertThat(fixture.stored("count(*) FROM $part")).isEqualTo("0");
    }
}
