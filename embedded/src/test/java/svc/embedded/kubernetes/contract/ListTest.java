package svc.embedded.kubernetes.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.embedded.kubernetes.HttpApi.MERGE;
import static svc.embedded.kubernetes.HttpApi.gadget;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.embedded.kubernetes.HttpApi.Reply;

/** Lists: selectors, paging, metadata only, and deletion of collections. */
class ListTest extends ContractTest {
    private static final String TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";
    private static final String METADATA = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";

    @BeforeEach
    void createGadgets() throws Exception {
        for (String name : List.of("one", "two", "three")) {
            http.post(gadgets, gadget(name, "ref: abc"));
        }
        http.patch(one, MERGE, "{metadata: {labels: {tier: a}}}");
    }

    @Test
    void carriesAVersionAndTheKindOfTheList() throws Exception {
        JsonNode list = http.get(gadgets).body();
        assertThat(list.path("kind").asText()).isEqualTo("GadgetList");
        assertThat(list.path("apiVersion").asText()).isEqualTo("test.svc.platform/v1");
        assertThat(list.at("/metadata/resourceVersion").asLong()).isPositive();
        assertThat(names(list)).containsExactly("one", "three", "two");
    }

    @Test
    void selectsByLabelsAndFields() throws Exception {
        assertThat(names(http.get(gadgets + "?labelSelector=tier%3Da").body())).containsExactly("one");
        assertThat(names(http.get(gadgets + "?labelSelector=tier%20in%20(a,b)").body()))
                .containsExactly("one");
        assertThat(names(http.get(gadgets + "?labelSelector=!tier").body())).containsExactly("three", "two");
        assertThat(names(
                        http.get(gadgets + "?fieldSelector=metadata.name%3Dtwo").body()))
                .containsExactly("two");
        assertThat(http.get(gadgets + "?labelSelector=a%20b").code()).isEqualTo(400);
        assertThat(http.get(gadgets + "?fieldSelector=metadata.name").code()).isEqualTo(400);
    }

    @Test
    void pagesWithLimitAndContinue() throws Exception {
        JsonNode first = http.get(gadgets + "?limit=2").body();
        assertThat(names(first)).startsWith("one", "three");
        String token = first.at("/metadata/continue").asText();
        assertThat(token.isEmpty()).isEqualTo(api.has(KnownDifference.LISTS_ARE_WHOLE));
        assertThat(names(first)).hasSize(token.isEmpty() ? 3 : 2);
        if (!token.isEmpty()) {
            JsonNode rest = http.get(gadgets + "?limit=2&continue=" + token).body();
            assertThat(names(rest)).containsExactly("two");
            assertThat(rest.at("/metadata/continue").asText()).isEmpty();
        }
    }

    @Test
    void answersAtAnyVersionThatIsNotOlder() throws Exception {
        String version =
                http.get(gadgets).body().at("/metadata/resourceVersion").asText();
        http.post(gadgets, gadget("four", "ref: abc"));
        for (String query : List.of("", "?resourceVersion=0", "?resourceVersion=" + version)) {
            Reply reply = http.get(gadgets + query);
            assertThat(reply.code()).as(query).isEqualTo(200);
            assertThat(names(reply.body())).as(query).contains("one", "two", "three");
        }
        assertThat(names(http.get(gadgets).body())).contains("four");
    }

    @Test
    void showsTheDeclaredColumnsAsATable() throws Exception {
        JsonNode table = http.get(gadgets, TABLE).body();
        assertThat(table.path("kind").asText()).isEqualTo("Table");
        assertThat(table.path("apiVersion").asText()).isEqualTo("meta.k8s.io/v1");
        assertThat(table.path("columnDefinitions").findValuesAsText("name"))
                .containsExactly("Name", "Ref", "Ready", "Reason", "Age", "Size");
        assertThat(table.at("/columnDefinitions/5/priority").asInt()).isEqualTo(1);
        assertThat(table.path("rows")).hasSize(3);
        assertThat(table.at("/rows/0/cells/1").asText()).isEqualTo("abc");
        assertThat(table.at("/rows/0/cells/5").asInt()).isEqualTo(1);
        assertThat(table.at("/rows/0/object/kind").asText()).isEqualTo("PartialObjectMetadata");
    }

    @Test
    void showsMetadataOnly() throws Exception {
        JsonNode list = http.get(gadgets, METADATA).body();
        assertThat(list.path("kind").asText()).isEqualTo("PartialObjectMetadataList");
        assertThat(list.at("/items/0").has("spec")).isFalse();
        assertThat(list.at("/items/0/metadata/uid").asText()).isNotEmpty();
    }

    @Test
    void deletesWhatASelectorNames() throws Exception {
        assertThat(http.delete(gadgets + "?labelSelector=tier%3Da").code()).isEqualTo(200);
        assertThat(names(http.get(gadgets).body())).containsExactly("three", "two");
        http.delete(gadgets);
        assertThat(names(http.get(gadgets).body())).isEmpty();
    }

    private static List<String> names(JsonNode list) {
        return list.path("items").findValues("metadata").stream()
                .map(meta -> meta.path("name").asText())
                .toList();
    }
}
