package svc.embedded.kubernetes.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.embedded.kubernetes.HttpApi.MERGE;
import static svc.embedded.kubernetes.HttpApi.gadget;
import static svc.embedded.kubernetes.HttpApi.line;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Watches: no missed events, 410 when events are lost, selectors, bookmarks. */
class WatchTest extends ContractTest {

    @Test
    void continuesFromAVersionWithoutAGap() throws Exception {
        String version =
                http.get(gadgets).body().at("/metadata/resourceVersion").asText();
        http.post(gadgets, gadget("one", "ref: abc"));
        http.patch(one, MERGE, "{spec: {size: 2}}");
        try (InputStream watch = http.stream(gadgets + "?watch=1&resourceVersion=" + version)) {
            assertThat(line(watch).path("type").asText()).isEqualTo("ADDED");
            JsonNode modified = line(watch);
            assertThat(modified.path("type").asText()).isEqualTo("MODIFIED");
            http.delete(one);
            JsonNode deleted = line(watch);
            assertThat(deleted.path("type").asText()).isEqualTo("DELETED");
            assertThat(versionOf(deleted)).isGreaterThan(versionOf(modified));
        }
    }

    /** Waits for each event before the next write: a server that buffers an event until the next one would hang here. */
    @Test
    void sendsEachEventByItself() throws Exception {
        try (InputStream watch = http.stream(gadgets + "?watch=1")) {
            for (int i = 0; i < 50; i++) {
                http.post(gadgets, gadget("g" + i, "ref: abc"));
                assertThat(line(watch).at("/object/metadata/name").asText()).isEqualTo("g" + i);
            }
        }
    }

    @Test
    void answersGoneForAVersionItNoLongerKnows() throws Exception {
        try (InputStream watch = http.stream(gadgets + "?watch=1&resourceVersion=1")) {
            JsonNode error = line(watch);
            assertThat(error.path("type").asText()).isEqualTo("ERROR");
            assertThat(error.at("/object/code").asInt()).isEqualTo(410);
            assertThat(error.at("/object/reason").asText()).isEqualTo("Expired");
            assertThat(watch.read()).isEqualTo(-1);
        }
    }

    @Test
    void watchesFromAVersionOfTheFuture() throws Exception {
        try (InputStream watch = http.stream(gadgets + "?watch=1&timeoutSeconds=1&resourceVersion=99999999")) {
            assertThat(new String(watch.readAllBytes(), StandardCharsets.UTF_8).contains("\"Expired\""))
                    .isEqualTo(api.has(KnownDifference.FUTURE_VERSIONS_ARE_EXPIRED));
        }
    }

    @Test
    void turnsChangesOfLabelsIntoArrivalAndEnd() throws Exception {
        http.post(gadgets, gadget("one", "ref: abc"));
        try (InputStream watch = http.stream(gadgets + "?watch=1&labelSelector=a%3Db")) {
            http.patch(one, MERGE, "{metadata: {labels: {a: b}}}");
            assertThat(line(watch).path("type").asText()).isEqualTo("ADDED");
            http.patch(one, MERGE, "{spec: {size: 2}}");
            assertThat(line(watch).path("type").asText()).isEqualTo("MODIFIED");
            http.patch(one, MERGE, "{metadata: {labels: {a: c}}}");
            assertThat(line(watch).path("type").asText()).isEqualTo("DELETED");
            http.delete(one);
            http.post(
                    gadgets,
                    "{apiVersion: test.svc.platform/v1, kind: Gadget, metadata: {name: two, labels: {a: b}},"
                            + " spec: {ref: abc}}");
            assertThat(line(watch).at("/object/metadata/name").asText()).isEqualTo("two");
        }
    }

    @Test
    void endsAfterItsTime() throws Exception {
        try (InputStream watch = http.stream(gadgets + "?watch=1&timeoutSeconds=1")) {
            assertThat(watch.read()).isEqualTo(-1);
        }
    }

    @Test
    void marksTheEndOfTheInitialEvents() throws Exception {
        http.post(gadgets, gadget("one", "ref: abc"));
        String query =
                "?watch=1&allowWatchBookmarks=true&sendInitialEvents=true" + "&resourceVersionMatch=NotOlderThan";
        try (InputStream watch = http.stream(gadgets + query)) {
            assertThat(line(watch).path("type").asText()).isEqualTo("ADDED");
            JsonNode bookmark = line(watch);
            assertThat(bookmark.path("type").asText()).isEqualTo("BOOKMARK");
            assertThat(bookmark.at("/object/metadata/annotations/k8s.io~1initial-events-end")
                            .asText())
                    .isEqualTo("true");
        }
    }

    private static long versionOf(JsonNode event) {
        return event.at("/object/metadata/resourceVersion").asLong();
    }
}
