package svc.operator.upgrade;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceConversionBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.PemKeyCertOptions;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.concurrent.TimeUnit;
import svc.embedded.kubernetes.http.TlsIdentity;

/** A conversion webhook for Projects whose next version has another name for one field of the spec. */
final class RenamingWebhook implements AutoCloseable {
    private final Vertx vertx = Vertx.vertx();
    private final TlsIdentity identity = TlsIdentity.generate(Clock.systemUTC());
    private final String next;
    private final String today;
    private final String renamed;
    private final HttpServer server;

    /**
     * @param next the version with the other name
     * @param today the name in the version of today
     */
    RenamingWebhook(String next, String today, String renamed) throws Exception {
        this.next = next;
        this.today = today;
        this.renamed = renamed;
        this.server = vertx.createHttpServer(new HttpServerOptions()
                        .setSsl(true)
                        .setKeyCertOptions(new PemKeyCertOptions()
                                .setKeyValue(Buffer.buffer(identity.keyPem()))
                                .setCertValue(Buffer.buffer(identity.certificatePem()))))
                .requestHandler(request -> request.body()
                        .onSuccess(body -> request.response()
                                .putHeader("Content-Type", "application/json")
                                .end(converted(body.toJsonObject()).toBuffer())))
                .listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .get(1, TimeUnit.MINUTES);
    }

    /** The definition of Projects with the other name in its next version, and with this webhook. Others stay as they are. */
    CustomResourceDefinition renamed(CustomResourceDefinition definition) {
        if (!definition.getSpec().getNames().getKind().equals("Project")) {
            return definition;
        }
        definition.getSpec().getVersions().stream()
                .filter(version -> version.getName().equals(next))
                .forEach(this::rename);
        definition
                .getSpec()
                .setConversion(new CustomResourceConversionBuilder()
                        .withStrategy("Webhook")
                        .withNewWebhook()
                        .withConversionReviewVersions("v1")
                        .withNewClientConfig()
                        .withUrl("https://127.0.0.1:" + server.actualPort() + "/convert")
                        .withCaBundle(Base64.getEncoder()
                                .encodeToString(identity.certificatePem().getBytes(StandardCharsets.US_ASCII)))
                        .endClientConfig()
                        .endWebhook()
                        .build());
        return definition;
    }

    private void rename(CustomResourceDefinitionVersion version) {
        JSONSchemaProps spec =
                version.getSchema().getOpenAPIV3Schema().getProperties().get("spec");
        var properties = new LinkedHashMap<>(spec.getProperties());
        properties.put(renamed, properties.remove(today));
        spec.setProperties(properties);
        // The API server refuses equal lists in versions whose schemas differ.
        version.setSelectableFields(version.getSelectableFields().reversed());
    }

    private JsonObject converted(JsonObject review) {
        JsonObject request = review.getJsonObject("request");
        String wanted = request.getString("desiredAPIVersion");
        boolean forward = wanted.endsWith("/" + next);
        var objects = new JsonArray();
        request.getJsonArray("objects").stream().map(JsonObject.class::cast).forEach(object -> {
            object.put("apiVersion", wanted);
            move(object.getJsonObject("spec"), forward ? today : renamed, forward ? renamed : today);
            objects.add(object);
        });
        return new JsonObject()
                .put("apiVersion", "apiextensions.k8s.io/v1")
                .put("kind", "ConversionReview")
                .put(
                        "response",
                        new JsonObject()
                                .put("uid", request.getString("uid"))
                                .put("result", new JsonObject().put("status", "Success"))
                                .put("convertedObjects", objects));
    }

    private static void move(JsonObject spec, String from, String to) {
        if (spec != null && spec.containsKey(from)) {
            spec.put(to, spec.remove(from));
        }
    }

    @Override
    public void close() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get(1, TimeUnit.MINUTES);
    }
}
