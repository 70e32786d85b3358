package svc.crds.project;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;

/** The realtime sidecar of a project with a dedicated database. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RealtimeStatus(
        @Size(max = 63)
        @JsonPropertyDescription("Name of the sidecar's Deployment and Service; absent while the state is Unavailable.")
        String deployment,

        @JsonPropertyDescription(
                "Idle: no client is connected, and the next socket starts the sidecar. Starting, Running: it is being started, it takes sockets. Unavailable: the log of the database cannot be read.")
        State state,

        @Size(max = 1024) @JsonPropertyDescription("Why the state is Unavailable, with what to do.")
        String message) {

    /** Of the sidecar's process. */
    public enum State {
        @JsonProperty("Idle")
        IDLE,
        @JsonProperty("Starting")
        STARTING,
        @JsonProperty("Running")
        RUNNING,
        @JsonProperty("Unavailable")
        UNAVAILABLE
    }
}
