package svc.crds.gitops;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.lib.jse.JsePlatform;

/** What Argo CD shows for each shape of our kinds, by the Lua that it runs. */
class ArgoHealthTest {
    private static final Path FILE = Path.of("..", "config", "argocd", "health.yaml");

    @ParameterizedTest
    @CsvSource({
        "NEW, Progressing, Waiting for the operator",
        "FIRST_LOOK, Progressing, The cluster is not ready yet",
        "READY, Healthy, Ready",
        "CHANGED, Progressing, Waiting for the operator",
        "TROUBLED, Degraded, The database cannot be reached.",
        "STALLED, Degraded, ref shop is held by another Project.",
        "MENDED, Progressing, Waiting for the operator",
        "PAUSED, Suspended, As asked; nothing is touched.",
        "SUSPENDED, Suspended, The services are stopped.",
        "BUNDLE_PENDING, Progressing, The source is not bundled yet.",
        "BUNDLE_FAILED, Degraded, index.ts:1:7: unexpected token",
        "PROJECT_AWAITED, Progressing, The Project is not provisioned yet.",
        "PROJECT_SUSPENDED, Suspended, The Project is suspended.",
        "FUNCTIONS_DISABLED, Suspended, The Project has no functions.",
        "DELETED, Progressing, The deletion waits"
    })
    void hasHealth(Shapes shape, String health, String message) throws IOException {
        Map<?, ?> data = (Map<?, ?>) new KubernetesSerialization()
                .unmarshal(Files.readString(FILE), Map.class)
                .get("data");
        for (String kind : new String[] {"Project", "EdgeFunction", "FunctionSecret"}) {
            String lua = (String) data.get("resource.customizations.health.svc.platform_" + kind);
            var globals = JsePlatform.standardGlobals();
            globals.set("obj", lua(shape.object()));
            LuaTable answer = globals.load(lua).call().checktable();
            assertThat(answer.get("status").tojstring()).as(kind).isEqualTo(health);
            assertThat(answer.get("message").tojstring()).as(kind).isEqualTo(message);
        }
    }

    private static LuaValue lua(JsonNode node) {
        if (node.isObject() || node.isArray()) {
            var table = new LuaTable();
            node.properties().forEach(field -> table.set(field.getKey(), lua(field.getValue())));
            for (int i = 0; node.isArray() && i < node.size(); i++) {
                table.set(i + 1, lua(node.get(i)));
            }
            return table;
        }
        return node.isNumber() ? LuaValue.valueOf(node.asInt()) : LuaValue.valueOf(node.asText());
    }
}
