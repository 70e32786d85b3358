package svc.management.project;

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
        Optional<StorageChange> storage) {
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
                Optional.empty());
    }

    /** A change of the storage settings alone. */
    static ProjectChange of(StorageChange storage) {
        return new ProjectChange(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(storage));
    }

    /** @throws ProblemException 400 with a pointer to {@code /name} */
    static String checkedName(String name) {
        return DisplayName.checked("The project's", name, MAX_NAME_LENGTH);
    }

    /** Secret values that the change brings; each is stored in a Secret before the change is applied. */
    List<String> secretValues() {
        return auth.map(AuthChange::values).orElse(List.of());
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
        return changed.build();
    }
}
