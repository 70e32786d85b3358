package svc.management.health;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
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
    /** The platform pools connections: it serves while the database does. Tools wait for it under this name or the next. */
    PG_BOUNCER(spec -> true),
    POOLER(spec -> true),
    REALTIME(spec -> spec.realtime().enabled()),
    REST(spec -> spec.rest().enabled()),
    STORAGE(spec -> spec.storage().enabled());

    private static final Set<ProjectService> POOLERS = EnumSet.of(PG_BOUNCER, POOLER);

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

    /** What is listed unasked: not what is another name of the database. */
    static List<ProjectService> usual() {
        return Arrays.stream(values())
                .filter(service -> !POOLERS.contains(service))
                .toList();
    }

    /** Whether the project has it switched on. */
    boolean isEnabled(ProjectSpec spec) {
        return enabled.test(spec);
    }
}
