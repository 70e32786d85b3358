package svc.management.branch;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import svc.management.json.StrictJson;

/**
 * What is known of a branch beside its project: an annotation of the Project. Pure.
 *
 * @param message about the status, for people; may be empty
 * @param since when the status began
 * @param gitBranch null if none was named
 */
record BranchState(
        BranchStatus status, String message, Instant since, boolean persistent, boolean withData, String gitBranch) {
    /** Work that takes longer was interrupted: the instance that did it has ended. */
    static final Duration MAX_WORK = Duration.ofMinutes(10);

    static final String ANNOTATION = "svc.platform/branch";

    private static final int MAX_MESSAGE = 1000;

    static BranchState created(Instant now, boolean persistent, boolean withData, String gitBranch) {
        return new BranchState(BranchStatus.CREATING_PROJECT, "", now, persistent, withData, gitBranch);
    }

    BranchState now(BranchStatus next, String text, Instant time) {
        String cut = text.length() > MAX_MESSAGE ? text.substring(0, MAX_MESSAGE) + "…" : text;
        return new BranchState(next, cut, time, persistent, withData, gitBranch);
    }

    BranchState with(boolean persists, String git) {
        return new BranchState(status, message, since, persists, withData, git);
    }

    /** The state of a branch at a time. One that was made with kubectl has none until it is reset. */
    static BranchState of(HasMetadata project, Instant now) {
        Instant created = Instant.parse(project.getMetadata().getCreationTimestamp());
        Map<String, String> annotations = project.getMetadata().getAnnotations();
        String text = annotations == null ? null : annotations.get(ANNOTATION);
        BranchState none = created(created, false, false, null)
                .now(BranchStatus.MIGRATIONS_FAILED, "Nothing was applied yet: reset the branch.", created);
        if (text == null) {
            return none;
        }
        try {
            BranchState state = StrictJson.get().readValue(text, BranchState.class);
            if (state == null || state.status() == null || state.since() == null) {
                return none;
            }
            boolean interrupted =
                    state.status().isRunning() && state.since().plus(MAX_WORK).isBefore(now);
            return interrupted
                    ? state.now(
                            BranchStatus.MIGRATIONS_FAILED,
                            "The work was interrupted: reset the branch.",
                            state.since())
                    : state;
        } catch (JsonProcessingException e) {
            return none;
        }
    }

    /** Writes it to the resource. */
    void writeTo(HasMetadata project) {
        Map<String, String> annotations = new TreeMap<>();
        if (project.getMetadata().getAnnotations() != null) {
            annotations.putAll(project.getMetadata().getAnnotations());
        }
        annotations.put(ANNOTATION, json());
        project.getMetadata().setAnnotations(annotations);
    }

    String json() {
        try {
            return StrictJson.get().writeValueAsString(this);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("while writing the state of a branch", e);
        }
    }
}
