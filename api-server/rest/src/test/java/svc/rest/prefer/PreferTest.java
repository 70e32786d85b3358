package svc.rest.prefer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
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
                .prefer("timezone=Nowhere/Land")
                .status(200)
                .hasNot("Preference-Applied")
                .answers("[{\"at\":\"2026-01-01T12:00:00+00:00\"}]");
        fixture.ask("GET /item?id=eq.100")
                .prefer("handling=strict, timezone=Nowhere/Land")
                .fails(400, "PGRST122")
                .contains("Invalid preferences: timezone=Nowhere/Land");
        fixture.asOwner("DELETE FROM item WHERE id = 100");
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
