package svc.platform.dataplane;

import java.util.List;

/** The path prefixes that a project's host serves (SPEC 1, rule 1), for whoever lists them. */
public final class DataPlanePrefixes {
    private static final List<String> ALL =
            DataPlanePath.SERVICES.stream().map(DataPlanePath::prefix).toList();

    private DataPlanePrefixes() {}

    public static List<String> all() {
        return ALL;
    }
}
