package svc.management.advisor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import svc.management.introspection.ProjectFacts;
import svc.management.introspection.ProjectFacts.Column;
import svc.management.introspection.ProjectFacts.Constraint;
import svc.management.introspection.ProjectFacts.Extension;
import svc.management.introspection.ProjectFacts.Namespace;
import svc.management.introspection.ProjectFacts.Policy;
import svc.management.introspection.ProjectFacts.Relation;
import svc.management.introspection.ProjectFacts.Roles;
import svc.management.introspection.ProjectFacts.TableStatistics;

/** Rules about what a project of a shared database cannot have, or what statistics say late. */
class RulesOfOtherDatabasesTest {
    private static final long PUBLIC = 1;
    private static final long AUTH = 2;
    private static final long STORAGE = 3;

    private static Relation relation(long oid, long namespace, String name, String kind, boolean readable) {
        return new Relation(oid, namespace, name, kind, 0, true, false, List.of(), readable, readable);
    }

    private static final ProjectFacts FACTS = new ProjectFacts(
            Map.of(
                    PUBLIC, new Namespace(PUBLIC, "public", true, true),
                    AUTH, new Namespace(AUTH, "auth", false, false),
                    STORAGE, new Namespace(STORAGE, "storage", true, true)),
            Map.of(
                    10L, relation(10, PUBLIC, "bad_foreign", "f", true),
                    11L, relation(11, PUBLIC, "good_foreign", "f", false),
                    12L, relation(12, PUBLIC, "bad_bloat", "r", false),
                    13L, relation(13, PUBLIC, "good_bloat", "r", false),
                    14L, relation(14, AUTH, "users", "r", false),
                    15L, relation(15, STORAGE, "objects", "r", true)),
            Map.of(
                    14L,
                    List.of(
                            new Column(14, 1, "id", 0, true, false, "", ""),
                            new Column(14, 2, "email", 0, true, false, "", ""))),
            Map.of(),
            Map.of(),
            List.of(
                    new Constraint("users_pkey", "p", 14, 0, List.of(1), 0, List.of(), 0),
                    new Constraint("bad_key", "f", 12, 0, List.of(1), 14, List.of(2), 0),
                    new Constraint("good_key", "f", 13, 0, List.of(1), 14, List.of(1), 0)),
            List.of(),
            List.of(
                    new Policy(
                            "bad_list",
                            15,
                            "r",
                            true,
                            List.of(0L),
                            Optional.of("(bucket_id = 'a'::text)"),
                            Optional.empty()),
                    new Policy(
                            "good_list",
                            15,
                            "r",
                            true,
                            List.of(0L),
                            Optional.of("((bucket_id = 'a'::text) AND (owner_id = auth.uid()))"),
                            Optional.empty())),
            List.of(),
            Set.of(),
            Map.of(),
            List.of(
                    new Extension("bad_extension", "public", "1.0", "1.1"),
                    new Extension("good_extension", "extensions", "1.0", "1.0")),
            Map.of(
                    12L, new TableStatistics(12, 5_000, 20_000),
                    13L, new TableStatistics(13, 50_000, 20_000)),
            Map.of(),
            Map.of(),
            List.of(PUBLIC),
            new Roles(100, 101));

    private static List<String> found(LintRule rule) {
        return Stream.concat(new SecurityLints(FACTS).all(), new PerformanceLints(FACTS).all())
                .filter(lint -> lint.name().equals(rule.wire()))
                .map(Lint::cacheKey)
                .toList();
    }

    @Test
    void findsWhatIsBadAndNotWhatIsGood() {
        assertThat(found(LintRule.FOREIGN_TABLE_IN_API)).containsExactly("foreign_table_in_api_public_bad_foreign");
        assertThat(found(LintRule.EXTENSION_IN_PUBLIC)).containsExactly("extension_in_public_public_bad_extension");
        assertThat(found(LintRule.EXTENSION_VERSIONS_OUTDATED))
                .containsExactly("extension_versions_outdated_public_bad_extension");
        assertThat(found(LintRule.TABLE_BLOAT)).containsExactly("table_bloat_public_bad_bloat");
        assertThat(found(LintRule.FKEY_TO_AUTH_UNIQUE)).containsExactly("fkey_to_auth_unique_public_bad_bloat_bad_key");
        assertThat(found(LintRule.PUBLIC_BUCKET_ALLOWS_LISTING))
                .containsExactly("public_bucket_allows_listing_storage_objects_bad_list");
    }
}
