package svc.operator.project;

import io.javaoperatorsdk.operator.processing.event.Event;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.AbstractEventSource;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import svc.crds.project.Project;

/** The event source behind a {@link ProjectTrigger}. */
final class TriggeredProjects extends AbstractEventSource<Project, Project> {
    private static final String NAME = "triggered-projects";

    private final Function<UUID, Set<ResourceID>> projects;

    /** @param projects finds the Projects with an id */
    TriggeredProjects(ProjectTrigger trigger, Function<UUID, Set<ResourceID>> projects) {
        super(Project.class, NAME);
        this.projects = projects;
        trigger.connect(this::reconcile);
    }

    private void reconcile(UUID id) {
        if (isRunning()) {
            projects.apply(id).forEach(project -> getEventHandler().handleEvent(new Event(project)));
        }
    }

    @Override
    public Set<Project> getSecondaryResources(Project project) {
        return Set.of();
    }
}
