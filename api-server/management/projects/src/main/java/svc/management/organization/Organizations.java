package svc.management.organization;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import svc.database.sql.SqlFragment;
import svc.management.token.AccessTokens;
import svc.management.token.Permission;
import svc.management.token.Principal;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.postgres.Row;
import svc.postgres.jdbc.PlatformDatabase;

/** The rows of {@code svc_platform.organisation}, and the first token of each. */
@ApplicationScoped
class Organizations {
    /** All permissions within the organisation. */
    private static final Set<Permission> FIRST_TOKEN =
            EnumSet.complementOf(EnumSet.of(Permission.ORGANIZATIONS_CREATE));

    private static final SqlFragment FIND =
            SqlFragment.of("SELECT id, name, created_at FROM svc_platform.organisation WHERE id = ?");
    private static final SqlFragment INSERT = SqlFragment.of("INSERT INTO svc_platform.organisation (id, name)"
            + " VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING id, name, created_at");

    private final PlatformDatabase database;
    private final AccessTokens tokens;

    Organizations(PlatformDatabase database, AccessTokens tokens) {
        this.database = database;
        this.tokens = tokens;
    }

    record Made(Organization organization, AccessTokens.Created token) {}

    Optional<Organization> find(String slug) {
        return database.queryOne(FIND, Organizations::read, slug);
    }

    /** Both rows or neither: an organisation without a token would be unreachable. */
    Made create(Principal by, String slug, String name) {
        by.require(Permission.ORGANIZATIONS_CREATE);
        AccessTokens.Created token = tokens.first(slug, "first token", FIRST_TOKEN, Optional.empty());
        return database.transaction(statements -> {
            Organization organization = statements
                    .queryOne(INSERT, Organizations::read, slug, name)
                    .orElseThrow(() -> Problem.of(
                                    ProblemCode.ORGANIZATION_EXISTS, "The organisation " + slug + " already exists.")
                            .asException());
            tokens.store(statements, token, by);
            return new Made(organization, token);
        });
    }

    private static Organization read(Row row) {
        return new Organization(row.text("id"), row.text("name"), row.instant("created_at"));
    }
}
