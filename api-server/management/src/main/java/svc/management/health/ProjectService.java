package svc.management.health;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import svc.crds.project.ProjectSpec;

/** What a project is made of, under the names of Supabase's Management API. */
enum ProjectService {
    AUTH(spec -> spec.auth().enabled()),
    DB(spec -> true),
    /** The database, for the role that runs SQL: here the same. */
    DB_POSTGRES_USER(spec -> true),
    FUNCTIONS(spec -> spec.functions().enabled()),
    GRAPHQL(spec -> spec.graphql().enabled()),
    REALTIME(spec -> spec.realtime().enabled()),
    REST(spec -> spec.rest().enabled()),
    STORAGE(spec -> spec.storage().enabled());

    private final Predicate<ProjectSpec> enabled;

    ProjectService(Predicate<ProjectSpec> enabled) {
        this.enabled = enabled;
    }

    /** The name in requests and answers. */
    String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Optional<ProjectService> ofWire(String name) {
        return Arrays.stream(values())
                .filter(service -> service.wire().equals(name))
                .findFirst();
    }

    /** Whether the project has it switched on. */
    boolean isEnabled(ProjectSpec spec) {
        return enabled.test(spec);
    }
}
