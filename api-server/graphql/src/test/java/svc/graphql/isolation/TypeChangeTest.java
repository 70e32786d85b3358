package svc.graphql.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.graphql.GraphqlFixture;

/** A value is read as the type that its column has now, also by statements that were used before a change of the type. */
class TypeChangeTest {
    private static final String ZONED = "2024-01-01T15:00:00+05:00";

    private final GraphqlFixture fixture = GraphqlFixture.serve("""
            CREATE TYPE mood AS ENUM ('m1', 'm2');
            CREATE TABLE place (id int PRIMARY KEY, at timestamp);
            CREATE TABLE ev (id int PRIMARY KEY, place_id int REFERENCES place, note text, at timestamp, mood mood);
            INSERT INTO place VALUES (1, '2024-01-01 10:00');
            COMMENT ON TABLE ev IS '@graphql({"totalCount": {"enabled": true}})';
            """);

    @BeforeEach
    void fill() {
        fixture.asOwner("INSERT INTO ev (id, place_id, at, mood) VALUES (1, 1, '2024-01-01 10:00', 'm1'),"
                + " (2, 1, '2024-01-01 15:00', 'm2')");
    }

    private void filtersFind(String value, int id) {
        String at = "{at: {%s: \"" + value + "\"}}";
        String found = "{\"c\":{\"totalCount\":1,\"edges\":[{\"node\":{\"id\":" + id + "}}]}}";
        for (String filter : new String[] {
            at.formatted("eq"),
            "{at: {in: [\"" + value + "\"]}}",
            "{or: [" + at.formatted("eq") + ", {id: {eq: 9}}]}",
            "{and: [" + at.formatted("gte") + ", " + at.formatted("lte") + "]}"
        }) {
            fixture.ask("{c: evCollection(filter: " + filter + ") {totalCount edges {node {id}}}}")
                    .answers(found);
        }
        fixture.ask("{placeCollection {edges {node {evCollection(filter: " + at.formatted("eq")
                        + ") {edges {node {id}}}}}}}")
                .answers("{\"placeCollection\":{\"edges\":[{\"node\":{\"evCollection\":{\"edges\":"
                        + "[{\"node\":{\"id\":" + id + "}}]}}}]}}");
        fixture.ask("mutation {c: updateEvCollection(set: {note: \"x\"}, filter: " + at.formatted("eq")
                        + ") {records {id}}}")
                .answers("{\"c\":{\"records\":[{\"id\":" + id + "}]}}");
        fixture.ask("mutation {a: updateEvCollection(set: {note: \"y\"}, filter: " + at.formatted("eq")
                        + ") {records {id}} b: updateEvCollection(set: {note: \"z\"}, filter: " + at.formatted("eq")
                        + ") {records {id}}}")
                .answers("{\"a\":{\"records\":[{\"id\":" + id + "}]},\"b\":{\"records\":[{\"id\":" + id + "}]}}");
    }

    private void writes(int id) {
        fixture.ask("mutation {insertIntoEvCollection(objects: [{id: " + id + ", at: \"" + ZONED
                        + "\"}]) {affectedCount}}")
                .answers("{\"insertIntoEvCollection\":{\"affectedCount\":1}}");
        fixture.ask("mutation {updatePlaceCollection(set: {at: \"" + ZONED
                        + "\"}, filter: {id: {eq: 1}}) {affectedCount}}")
                .answers("{\"updatePlaceCollection\":{\"affectedCount\":1}}");
    }

    @Test
    void aValueIsReadAsTheTypeThatTheColumnHasNow() {
        filtersFind(ZONED, 2);
        filtersFind(ZONED, 2);
        fixture.asOwner("ALTER TABLE ev ALTER at TYPE timestamptz USING at AT TIME ZONE 'UTC'");
        filtersFind(ZONED, 1);
        filtersFind(ZONED, 1);
    }

    @Test
    void deletesMeetTheRowsOfTheTypeNow() {
        String delete = "mutation {c: deleteFromEvCollection(filter: {at: {eq: \"" + ZONED + "\"}}) {records {id}}}";
        fixture.ask(delete).answers("{\"c\":{\"records\":[{\"id\":2}]}}");
        fixture.asOwner("INSERT INTO ev (id, at) VALUES (2, '2024-01-01 15:00');"
                + " ALTER TABLE ev ALTER at TYPE timestamptz USING at AT TIME ZONE 'UTC'");
        fixture.ask(delete).answers("{\"c\":{\"records\":[{\"id\":1}]}}");
    }

    @Test
    void writtenValuesHaveTheTypeOfTheColumnNow() {
        writes(11);
        fixture.asOwner("ALTER TABLE ev ALTER at TYPE timestamptz USING at AT TIME ZONE 'UTC';"
                + " ALTER TABLE place ALTER at TYPE timestamptz USING at AT TIME ZONE 'UTC'");
        writes(12);
        assertThat(fixture.stored(
                        "string_agg(to_char(at AT TIME ZONE 'UTC', 'HH24'), ',' ORDER BY id) FROM $ev WHERE id > 10"))
                .isEqualTo("15,10");
        assertThat(fixture.stored("to_char(at AT TIME ZONE 'UTC', 'HH24') FROM $place"))
                .isEqualTo("10");
    }

    @Test
    void cursorsAreReadAsTheTypeNow() {
        String first =
                "{evCollection(first: 1, orderBy: [{at: AscNullsLast}]) {pageInfo {endCursor} edges {node {id}}}}";
        for (String type : new String[] {"timestamp", "timestamptz", "text"}) {
            fixture.asOwner("ALTER TABLE ev ALTER at TYPE " + type + " USING at::" + type);
            String cursor = fixture.ask(first)
                    .data()
                    .at("/evCollection/pageInfo/endCursor")
                    .asText();
            fixture.ask("{evCollection(first: 1, after: \"" + cursor
                            + "\", orderBy: [{at: AscNullsLast}]) {edges {node {id}}}}")
                    .answers("{\"evCollection\":{\"edges\":[{\"node\":{\"id\":2}}]}}");
        }
    }

    @Test
    void anEnumMayBeReplaced() {
        String asked = "{evCollection(filter: {mood: {eq: m1}}) {edges {node {id}}}}";
        String found = "{\"evCollection\":{\"edges\":[{\"node\":{\"id\":1}}]}}";
        fixture.ask(asked).answers(found);
        fixture.asOwner("ALTER TYPE mood RENAME TO mood_old; CREATE TYPE mood AS ENUM ('m1', 'm3', 'm2');"
                + " ALTER TABLE ev ALTER mood TYPE mood USING mood::text::mood; DROP TYPE mood_old");
        fixture.ask(asked).answers(found);
    }
}
