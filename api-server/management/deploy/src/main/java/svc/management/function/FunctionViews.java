package svc.management.function;

import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import svc.crds.condition.Condition;
import svc.crds.function.EdgeFunction;
import svc.crds.function.EdgeFunctionSpec;
import svc.crds.function.EdgeFunctionStatus;
import svc.functions.artifact.Archive;
import svc.management.ClientUrls;
import svc.management.function.FunctionBodies.ConditionView;
import svc.management.function.FunctionBodies.VersionView;
import svc.management.function.FunctionBodies.View;

/** Renders EdgeFunctions for the API, with addresses that clients reach. */
@ApplicationScoped
class FunctionViews {
    private final ClientUrls urls;

    FunctionViews(ClientUrls urls) {
        this.urls = urls;
    }

    View of(EdgeFunction function) {
        return of(function, Optional.empty());
    }

    /** With the code; an EdgeFunction from a manifest contains it. */
    View withCode(EdgeFunction function, Optional<Archive> archive) {
        EdgeFunctionSpec spec = function.getSpec();
        return of(
                function,
                spec.source() == null
                        ? archive.map(Code::of)
                        : Optional.of(new Code(spec.source(), spec.files(), spec.importMap(), "index.ts")));
    }

    private record Code(String source, Map<String, String> files, String importMap, String entrypoint) {
        static Code of(Archive archive) {
            return new Code(archive.source(), archive.files(), archive.importMap(), archive.entrypoint());
        }
    }

    private View of(EdgeFunction function, Optional<Code> code) {
        EdgeFunctionSpec spec = function.getSpec();
        EdgeFunctionStatus status = function.getStatus() == null ? EdgeFunctionStatus.empty() : function.getStatus();
        Instant created = Instant.parse(function.getMetadata().getCreationTimestamp());
        Instant updated = status.history().isEmpty()
                ? created
                : status.history().getFirst().deployedAt();
        return new View(
                function.getMetadata().getUid(),
                spec.name(),
                spec.name(),
                FunctionState.of(function),
                status.version() == null ? 0 : status.version(),
                created.toEpochMilli(),
                updated == null ? created.toEpochMilli() : updated.toEpochMilli(),
                spec.verifyJwt(),
                urls.of(status.url()),
                FunctionState.wanted(spec, status),
                status.hash(),
                code.map(known -> known.importMap() != null).orElse(null),
                code.map(Code::importMap).orElse(null),
                code.map(Code::entrypoint).orElse(null),
                code.map(Code::source).orElse(null),
                code.map(Code::files).orElse(null),
                status.history().stream()
                        .map(version -> new VersionView(version.version(), version.contentHash(), version.deployedAt()))
                        .toList(),
                status.conditions().stream().map(FunctionViews::condition).toList());
    }

    private static ConditionView condition(Condition condition) {
        String status = condition.status().name();
        return new ConditionView(
                condition.type(),
                status.charAt(0) + status.substring(1).toLowerCase(Locale.ROOT),
                condition.reason(),
                condition.message(),
                condition.observedGeneration(),
                condition.lastTransitionTime());
    }

    List<View> all(List<EdgeFunction> functions) {
        return functions.stream().map(this::of).toList();
    }
}
