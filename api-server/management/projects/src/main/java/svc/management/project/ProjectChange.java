package svc.management.project;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import svc.crds.project.DeletionPolicy;
import svc.crds.project.ProjectSpec;
import svc.management.problem.DisplayName;
import svc.platform.problem.ProblemException;

/** A validated change of a project's spec; an empty field leaves the setting as it is. */
record ProjectChange(
        Optional<String> name,
        Optional<DeletionPolicy> deletionPolicy,
        Optional<Boolean> paused,
        Optional<RestChange> rest,
        Optional<AuthChange> auth,
        Optional<StorageChange> storage,
        Optional<RealtimeChange> realtime) {
    private static final ProjectChange NONE = new ProjectChange(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());

    /** In characters; the schema of the Project resource has the same limit. */
    static final int MAX_NAME_LENGTH = 63;

    /** @throws ProblemException 400 with a pointer to the first invalid field */
    static ProjectChange of(ProjectBodies.Change body) {
        return new ProjectChange(
                Optional.ofNullable(body.name()).map(ProjectChange::checkedName),
                Optional.ofNullable(body.deletionPolicy()),
                Optional.ofNullable(body.paused()),
                Optional.ofNullable(body.rest()).map(RestChange::checked),
                Optional.ofNullable(body.auth()).map(AuthChange::of),
                Optional.empty(),
                Optional.empty());
    }

    /** A change of the storage settings alone. */
    static ProjectChange of(StorageChange storage) {
        return NONE.with(NONE.rest, NONE.auth, Optional.of(storage), NONE.realtime);
    }

    /** A change of the auth settings alone. */
    static ProjectChange of(AuthChange auth) {
        return NONE.with(NONE.rest, Optional.of(auth), NONE.storage, NONE.realtime);
    }

    /** A change of the settings of the REST API alone. */
    static ProjectChange of(RestChange rest) {
        return NONE.with(Optional.of(rest), NONE.auth, NONE.storage, NONE.realtime);
    }

    /** A change of the realtime settings alone. */
    static ProjectChange of(RealtimeChange realtime) {
        return NONE.with(NONE.rest, NONE.auth, NONE.storage, Optional.of(realtime));
    }

    private ProjectChange with(
            Optional<RestChange> api,
            Optional<AuthChange> users,
            Optional<StorageChange> files,
            Optional<RealtimeChange> channels) {
        return new ProjectChange(name, deletionPolicy, paused, api, users, files, channels);
    }

    /** @throws ProblemException 400 with a pointer to {@code /name} */
    static String checkedName(String name) {
        return DisplayName.checked("The project's", name, MAX_NAME_LENGTH);
    }

    /** Secret values that the change brings; each is stored in a Secret before the change is applied. */
    List<String> secretValues() {
        return auth.map(AuthChange::values).orElse(List.of());
    }

    /** Which settings, without their values, for the audit. */
    String what() {
        List<String> parts = new ArrayList<>();
        name.ifPresent(any -> parts.add("name"));
        deletionPolicy.ifPresent(any -> parts.add("deletion policy"));
        paused.ifPresent(any -> parts.add("paused"));
        auth.ifPresent(any -> parts.add("auth"));
        rest.ifPresent(any -> parts.add("rest"));
        storage.ifPresent(any -> parts.add("storage"));
        realtime.ifPresent(any -> parts.add("realtime"));
        return parts.isEmpty() ? "change project" : "change project: " + String.join(", ", parts);
    }

    /**
     * The spec with the change applied.
     *
     * @param secrets names of the Secrets that store {@link #secretValues}, in their order
     * @throws ProblemException 400 for a setting that this project cannot have
     */
    ProjectSpec apply(ProjectSpec spec, List<String> secrets) {
        ProjectSpec.Builder changed = spec.toBuilder();
        name.ifPresent(changed::name);
        deletionPolicy.ifPresent(changed::deletionPolicy);
        paused.ifPresent(changed::paused);
        auth.ifPresent(settings -> changed.auth(settings.over(spec.auth(), secrets)));
        rest.ifPresent(settings -> changed.rest(settings.over(spec.rest())));
        storage.ifPresent(settings -> changed.storage(settings.over(spec.storage())));
        realtime.ifPresent(settings -> changed.realtime(settings.over(spec.realtime())));
        return changed.build();
    }
}
