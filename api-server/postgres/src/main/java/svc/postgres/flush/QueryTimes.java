package svc.postgres.flush;

import java.util.UUID;
import svc.postgres.Access;

/** How long one project's main queries take, see {@link QueryTimeCache}. */
final class QueryTimes {
    private final QueryTimeCache cache;
    private final UUID project;

    QueryTimes(QueryTimeCache cache, UUID project) {
        this.cache = cache;
        this.project = project;
    }

    /** Whether it was quick lately; a query without a recent measurement is not. */
    boolean isQuick(String query, Access access) {
        return cache.isQuick(project, query, access);
    }

    void took(String query, long nanos) {
        cache.took(project, query, nanos);
    }
}
