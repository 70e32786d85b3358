package svc.management.audit;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.core.MultivaluedMap;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import svc.platform.problem.ProblemException;

/** The audit page by page, for callers that may read that of their organisation. */
@ApplicationScoped
public class AuditPages {
    private final SqlCallHistory history;

    AuditPages(SqlCallHistory history) {
        this.history = history;
    }

    /** @param nextCursor the cursor of the next page; omitted on the last */
    @Schema(name = "SqlCallsResponse")
    public record Page(List<SqlCallHistory.Entry> calls, String nextCursor) {}

    /**
     * The calls that are about a project.
     *
     * @param parameters of the request's query
     * @throws ProblemException 400 for a parameter that is unknown, repeated or invalid
     */
    public Page ofProject(String organization, String ref, MultivaluedMap<String, String> parameters) {
        return page(organization, Optional.of(ref), AuditFilter.of(parameters));
    }

    /** The same of all calls of an organisation, with those that are about no project. */
    public Page ofOrganization(String organization, MultivaluedMap<String, String> parameters) {
        return page(organization, Optional.empty(), AuditFilter.of(parameters));
    }

    /** Whether the audit has any call of this project, also after its deletion. */
    public boolean knows(String organization, String ref) {
        return history.knows(organization, ref);
    }

    private Page page(String organization, Optional<String> ref, AuditFilter filter) {
        List<SqlCallHistory.Entry> found = history.page(organization, ref, filter);
        if (found.size() <= filter.limit()) {
            return new Page(found, null);
        }
        SqlCallHistory.Entry last = found.get(filter.limit() - 1);
        return new Page(found.subList(0, filter.limit()), new AuditCursor(last.startedAt(), last.id()).text());
    }
}
