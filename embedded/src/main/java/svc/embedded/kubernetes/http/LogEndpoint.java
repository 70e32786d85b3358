package svc.embedded.kubernetes.http;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import svc.embedded.kubernetes.failure.ApiFailure;
import svc.embedded.kubernetes.log.LogQuery;
import svc.embedded.kubernetes.log.PodLog;
import svc.embedded.kubernetes.log.PodLogSource;
import svc.embedded.kubernetes.store.ObjectStore;
import svc.embedded.kubernetes.type.Subresource;

/** {@code …/pods/<name>/log}, for {@code kubectl logs}. A pod has one container, so which is asked for does not matter. */
final class LogEndpoint {
    private final ObjectStore store;
    private volatile PodLogSource source = PodLogSource.NONE;

    LogEndpoint(ObjectStore store) {
        this.store = store;
    }

    void serve(PodLogSource logs) {
        this.source = logs;
    }

    Answer read(ResourcePath path, ApiRequest request) {
        if (!Subresource.hasLog(path.served().type())) {
            throw ApiFailure.noSuchPath();
        }
        if (!request.method().equals("GET")) {
            throw ApiFailure.methodNotAllowed();
        }
        if (store.get(path.key()).isEmpty()) {
            throw ApiFailure.notFound(path.subject());
        }
        LogQuery query = query(request);
        // A pod without a process has an empty log.
        PodLog log =
                source.find(path.namespace().orElse(""), path.name().orElse("")).orElseGet(LogEndpoint::silence);
        if (query.follow()) {
            return new Answer.Log(log, query);
        }
        String text = log.read(query).stream().map(line -> line + "\n").collect(Collectors.joining());
        return new Answer.Document(200, "text/plain", text.getBytes(StandardCharsets.UTF_8), List.of());
    }

    private static PodLog silence() {
        var log = new PodLog();
        log.end();
        return log;
    }

    private static LogQuery query(ApiRequest request) {
        Optional<Instant> since = request.number("sinceSeconds")
                .map(seconds -> Instant.now().minusSeconds(seconds))
                .or(() -> Optional.of(request.parameter("sinceTime"))
                        .filter(time -> !time.isEmpty())
                        .map(LogEndpoint::time));
        return new LogQuery(
                request.number("tailLines"),
                since,
                request.number("limitBytes"),
                request.flag("timestamps"),
                request.flag("follow"));
    }

    private static Instant time(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeException e) {
            throw ApiFailure.badRequest("sinceTime: Invalid value: \"%s\": must be a time of RFC 3339".formatted(text));
        }
    }
}
