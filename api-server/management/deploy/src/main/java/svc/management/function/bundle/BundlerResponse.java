package svc.management.function.bundle;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/** Reads what the bundler sends. Pure. */
final class BundlerResponse {
    private static final int MAX_MESSAGE_LENGTH = 2_000;

    private BundlerResponse() {}

    static BundleResult read(JsonNode answer) throws IOException {
        if (answer.path("bundle").isTextual()) {
            JsonNode origins = answer.path("origins");
            List<String> sources = new ArrayList<>();
            origins.path("sources").forEach(source -> sources.add(source.asText()));
            return new BundleResult.Bundled(
                    answer.get("bundle").textValue(),
                    new BundleOrigins(origins.path("mappings").asText(), sources));
        }
        List<BundleFault> faults = new ArrayList<>();
        for (JsonNode fault : answer.path("faults")) {
            faults.add(fault(fault));
        }
        if (faults.isEmpty()) {
            throw new IOException("the bundler sends neither a bundle nor a fault");
        }
        return new BundleResult.Refused(faults);
    }

    private static BundleFault fault(JsonNode fault) throws IOException {
        BundleFault.Kind kind;
        try {
            kind = BundleFault.Kind.valueOf(fault.path("kind").asText().toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new IOException("the bundler sends a fault of an unknown kind", e);
        }
        return new BundleFault(
                kind,
                cut(fault.path("message").asText()),
                Optional.ofNullable(fault.path("file").textValue()).map(BundlerResponse::cut),
                number(fault.path("line")),
                number(fault.path("column")));
    }

    static OptionalInt number(JsonNode number) {
        return number.isInt() ? OptionalInt.of(number.intValue()) : OptionalInt.empty();
    }

    static String cut(String text) {
        return text.length() <= MAX_MESSAGE_LENGTH ? text : text.substring(0, MAX_MESSAGE_LENGTH) + " …";
    }
}
