package svc.management.log;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.logs.Logger;
import io.opentelemetry.api.logs.Severity;
import io.opentelemetry.exporter.otlp.http.logs.OtlpHttpLogRecordExporter;
import io.opentelemetry.exporter.otlp.http.logs.OtlpHttpLogRecordExporterBuilder;
import io.opentelemetry.sdk.logs.SdkLoggerProvider;
import io.opentelemetry.sdk.logs.export.BatchLogRecordProcessor;
import io.opentelemetry.sdk.resources.Resource;
import io.quarkus.runtime.ShutdownEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import svc.platform.projectlog.LogConfig;
import svc.platform.projectlog.LogSource;

/**
 * Sends each line to an OTLP receiver, if one is configured. A receiver that is slow or away loses lines: the SDK's processor
 * keeps at most {@value #QUEUE}, and writing to the database never waits for it.
 */
@ApplicationScoped
class OtlpExport {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int QUEUE = 20_000;
    private static final int BATCH = 1_000;
    private static final Duration FAREWELL = Duration.ofSeconds(2);
    private static final AttributeKey<Long> STATUS = AttributeKey.longKey("http.response.status_code");
    private static final AttributeKey<Long> BYTES = AttributeKey.longKey("http.response.body.size");
    private static final AttributeKey<Double> DURATION = AttributeKey.doubleKey("duration_ms");

    private static final List<Severity> SEVERITIES =
            List.of(Severity.DEBUG, Severity.INFO, Severity.WARN, Severity.ERROR);

    private final Optional<SdkLoggerProvider> provider;
    private final Optional<Logger> logger;

    OtlpExport(LogConfig config) {
        this.provider = config.otlp().endpoint().map(endpoint -> provider(endpoint, config.otlp()));
        this.logger = provider.map(sdk -> sdk.get("svc.logs"));
    }

    private static SdkLoggerProvider provider(String endpoint, LogConfig.Otlp config) {
        OtlpHttpLogRecordExporterBuilder exporter =
                OtlpHttpLogRecordExporter.builder().setEndpoint(endpoint);
        config.headers().forEach(exporter::addHeader);
        return SdkLoggerProvider.builder()
                .setResource(Resource.create(Attributes.of(AttributeKey.stringKey("service.name"), "svc")))
                .addLogRecordProcessor(BatchLogRecordProcessor.builder(exporter.build())
                        .setMaxQueueSize(QUEUE)
                        .setMaxExportBatchSize(BATCH)
                        .build())
                .build();
    }

    void stop(@Observes ShutdownEvent stopping) {
        provider.ifPresent(sdk -> sdk.shutdown().join(FAREWELL.toMillis(), TimeUnit.MILLISECONDS));
    }

    /** @param batch a JSON array of lines, which the database has taken */
    void send(String batch) {
        logger.ifPresent(to -> {
            try {
                JSON.readTree(batch).forEach(line -> emit(to, line));
            } catch (JsonProcessingException e) {
                throw new IllegalStateException("a stored batch is no JSON", e);
            }
        });
    }

    private static void emit(Logger logger, JsonNode line) {
        int severity = Math.clamp(line.path("v").asInt(), 0, SEVERITIES.size() - 1);
        AttributesBuilder attributes = Attributes.builder();
        attributes.put("project.id", line.path("p").asText());
        attributes.put(
                "log.source",
                LogSource.ofNumber(line.path("s").asLong()).map(LogSource::wire).orElse("logs"));
        text(attributes, "request.id", line.path("r"));
        text(attributes, "http.request.method", line.path("q"));
        text(attributes, "url.path", line.path("h"));
        text(attributes, "user_agent.original", line.path("u"));
        if (line.has("c")) {
            attributes.put(STATUS, line.path("c").asLong());
            attributes.put(BYTES, line.path("b").asLong());
            attributes.put(DURATION, line.path("d").asLong() / 1_000.0);
        }
        line.path("a").properties().forEach(one -> text(attributes, "svc." + one.getKey(), one.getValue()));
        String request = line.path("q").asText() + " " + line.path("h").asText() + " "
                + line.path("c").asText();
        logger.logRecordBuilder()
                .setTimestamp(line.path("t").asLong(), TimeUnit.MICROSECONDS)
                .setSeverity(SEVERITIES.get(severity))
                .setSeverityText(SEVERITIES.get(severity).name())
                .setBody(line.has("m") ? line.path("m").asText() : request)
                .setAllAttributes(attributes.build())
                .emit();
    }

    private static void text(AttributesBuilder attributes, String name, JsonNode value) {
        if (value.isTextual()) {
            attributes.put(name, value.asText());
        }
    }
}
