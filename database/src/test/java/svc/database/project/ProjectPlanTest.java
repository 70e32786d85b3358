package svc.database.project;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import svc.database.name.DatabaseRole;
import svc.database.name.ProjectNames;
import svc.database.project.Fact.Kind;
import svc.database.project.companion.Column;
import svc.database.project.companion.Companion;
import svc.database.project.companion.CompanionTable;
import svc.database.project.companion.TablePart;

class ProjectPlanTest {
    private static final ProjectLayout LAYOUT = ProjectLayout.desired(target("SCRAM-SHA-256$1:hush"));

    private static ProjectTarget target(String verifier) {
        Map<DatabaseRole, String> verifiers = new EnumMap<>(DatabaseRole.class);
        for (DatabaseRole role : DatabaseRole.values()) {
            if (role.login()) {
                verifiers.put(role, verifier);
            }
        }
        ProjectNames names = ProjectNames.shared(new UUID(1, 2));
        return new ProjectTarget(names, verifiers, RoleSettings.defaults(), Companion.current());
    }

    @Test
    void nothingIsPlannedForAProjectInOrder() {
        assertThat(ProjectPlan.of(LAYOUT, LAYOUT.facts()).isEmpty()).isTrue();
    }

    @Test
    void whateverSingleFactIsMissingSomeStepBringsItBack() {
        for (Fact fact : LAYOUT.facts()) {
            Set<Fact> observed = new HashSet<>(LAYOUT.facts());
            observed.remove(fact);
            ProjectPlan plan = ProjectPlan.of(LAYOUT, observed);
            assertThat(plan.steps())
                    .as(fact.toString())
                    .anyMatch(step -> step.provides().contains(fact));
        }
    }

    @Test
    void aNewProjectMakesEachThingOnce() {
        assertThat(ProjectPlan.of(LAYOUT, Set.of()).stepNames())
                .doesNotHaveDuplicates()
                .contains("create role owner", "create schema project", "create table auth.users")
                .noneMatch(name -> name.startsWith("column") || name.startsWith("attributes"));
    }

    @Test
    void aSurplusRightIsTakenAwayBeforeAnythingIsGiven() {
        Set<Fact> observed = new HashSet<>(LAYOUT.facts());
        observed.add(new Fact(Kind.GRANT, "table auth.users", "other:evil\"role SELECT"));
        observed.add(new Fact(Kind.MEMBER, "api", "system inherit=t set=t admin=f by="));
        assertThat(ProjectPlan.of(LAYOUT, observed).toString())
                .contains("FROM \"evil\"\"role\" CASCADE")
                .contains("REVOKE \"proj_00000000000000010000000000000002_system\"");
    }

    @Test
    void planAndFactsPrintWithoutSecrets() {
        ProjectPlan plan = ProjectPlan.of(LAYOUT, Set.of());
        assertThat(plan + LAYOUT.toString() + LAYOUT.facts() + LAYOUT.target()).doesNotContain("hush");
        assertThat(SqlBlock.of(plan.steps()).sql().toString()).doesNotContain("hush");
        assertThat(SqlBlock.of(plan.steps()).sql().sql()).contains("hush");
    }

    @Test
    void aPlainPasswordIsNeverSent() {
        assertThatIllegalArgumentException().isThrownBy(() -> target("plain"));
    }

    @Test
    void theFailingStepIsFoundByItsLine() {
        SqlBlock block = SqlBlock.of(ProjectPlan.of(LAYOUT, Set.of()).steps());
        int last = block.names().size() - 1;
        String where = "PL/pgSQL function inline_code_block line ";
        assertThat(block.failingStep(where + block.firstLines().get(last) + " at SQL statement"))
                .contains(block.names().get(last));
        assertThat(block.failingStep(where + (block.firstLines().get(last) - 1) + " at SQL statement"))
                .contains(block.names().get(last - 1));
        assertThat(block.failingStep(null)).isEmpty();
    }

    @Test
    void anUpgradeMayOnlyAdd() {
        Companion now = Companion.current();
        CompanionTable users = now.tables().get(0);
        assertThat(obstacles(now, users.with(Column.of("a", "text")))).isEmpty();
        assertThat(obstacles(now, users.with(Column.of("a", "boolean").notNull().withDefault("false"))))
                .isEmpty();
        assertThat(obstacles(now, users.with(Column.of("a", "text").notNull()))).hasSize(1);
        assertThat(obstacles(now, users.with(Column.of("a", "uuid").withDefault("gen_random_uuid()"))))
                .hasSize(1);
        assertThat(obstacles(now, users.with(Column.of("a", "text").generatedAs("lower(phone)"))))
                .hasSize(1);
        assertThat(obstacles(now, users.with(TablePart.Constraint.of("c", "UNIQUE (aud)"))))
                .hasSize(1);
        assertThat(new Companion(now.version() + 1, List.of(), now.functions()).obstaclesToFollow(now))
                .hasSize(4);
        assertThat(new Companion(now.version() + 1, now.tables(), List.of()).obstaclesToFollow(now))
                .hasSameSizeAs(now.functions());
        assertThat(now.obstaclesToFollow(now)).hasSize(1);
    }

    private static List<String> obstacles(Companion now, CompanionTable changed) {
        List<CompanionTable> tables = new ArrayList<>(now.tables());
        tables.set(0, changed);
        return new Companion(now.version() + 1, tables, now.functions()).obstaclesToFollow(now);
    }
}
