package svc.embedded.kubernetes.http;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import svc.embedded.kubernetes.failure.ApiFailure;
import svc.embedded.kubernetes.json.Json;
import svc.embedded.kubernetes.log.LogQuery;
import svc.embedded.kubernetes.log.PodLog;

/** What a request is answered with. */
sealed interface Answer {
    /** One document. */
    @SuppressWarnings("ArrayRecordComponent") // answers are never compared
    record Document(int code, String contentType, byte[] body, List<String> warnings) implements Answer {}

    /** A stream of events. */
    record Watch(WatchRequest request) implements Answer {}

    /** The lines of a log, as they come. */
    record Log(PodLog log, LogQuery query) implements Answer {}

    static Document json(int code, JsonNode body) {
        return json(code, body, List.of());
    }

    static Document json(int code, JsonNode body, List<String> warnings) {
        return new Document(code, "application/json", Json.bytes(body), warnings);
    }

    static Document failure(ApiFailure failure) {
        return json(failure.code(), failure.status());
    }
}
