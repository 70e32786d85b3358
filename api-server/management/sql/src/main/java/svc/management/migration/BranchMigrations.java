package svc.management.migration;

import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import svc.management.query.AuthorizedCall;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;
import svc.platform.tenancy.Tenant;
import svc.postgres.flush.TransactionStatuses.Status;

/** Takes migrations from one project's history to another's: of a branch and the project that it branched from. */
@ApplicationScoped
public class BranchMigrations {
    private static final int PAGE = 500;

    /** Histories beyond it are not compared. */
    private static final int MAX_VERSIONS = 5000;

    /** In characters: a merge is one transaction. */
    private static final int MAX_MERGED = 8 << 20;

    private final Migrations migrations;
    private final MigrationHistory history;
    private final MigrationFolders folders;
    private final AtomicMigrations atomic;
    private final MigrationRepair repair;
    private final Clock clock;

    BranchMigrations(
            Migrations migrations,
            MigrationHistory history,
            MigrationFolders folders,
            AtomicMigrations atomic,
            MigrationRepair repair,
            Clock clock) {
        this.migrations = migrations;
        this.history = history;
        this.folders = folders;
        this.atomic = atomic;
        this.repair = repair;
        this.clock = clock;
    }

    /**
     * Applies to a branch what its parent has and it has not, by version, up to the first that fails. Versions that the parent
     * recorded without their text are recorded alone.
     *
     * @param last the last version to apply; empty for all
     * @return how many were applied or recorded
     * @throws ProblemException of the first that fails; those before it stay applied
     */
    public int replay(Tenant parent, AuthorizedCall branch, Optional<String> last, Instant deadline) {
        int taken = 0;
        TreeMap<String, Migration> there = committed(branch.tenant());
        for (Migration migration : committed(parent).values()) {
            String version = migration.version();
            if (there.containsKey(version)
                    || last.filter(end -> version.compareTo(end) > 0).isPresent()) {
                continue;
            }
            if (!Duration.between(clock.instant(), deadline).isPositive()) {
                throw Problem.of(
                                ProblemCode.SQL_TIMEOUT,
                                "The branch took too long: the migration " + version
                                        + " and those after it were not applied.")
                        .withHint("Rebase the branch, which goes on here.")
                        .asException();
            }
            String text = history.text(parent.projectId(), version).orElse("");
            if (text.isEmpty()) {
                repair.applied(branch, List.of(version));
            } else {
                folders.apply(branch, new MigrationFolder(List.of(file(parent, migration, text)), false));
            }
            taken++;
        }
        return taken;
    }

    /** @throws ProblemException 400 for a text that is no version, 404 if the project has no such version */
    public void requireVersion(Tenant tenant, String version) {
        MigrationRequest.checkedVersionAt(version, "/migration_version");
        if (migrations
                .find(tenant, version)
                .filter(known -> known.status() == Status.COMMITTED)
                .isEmpty()) {
            throw MigrationProblems.notFound(version).asException();
        }
    }

    /** Forgets all migrations of a branch; their objects are dropped already. */
    public void forget(AuthorizedCall branch) {
        List<String> versions = List.copyOf(committed(branch.tenant()).keySet());
        repair.reverted(branch, versions);
    }

    /** What a branch has and its parent has not, as SQL. */
    public String difference(Tenant parent, Tenant branch) {
        TreeMap<String, Migration> there = committed(parent);
        var difference = new StringBuilder();
        for (Migration migration : committed(branch).values()) {
            if (!there.containsKey(migration.version())) {
                difference
                        .append("-- ")
                        .append(migration.version())
                        .append(migration.name().map(name -> " " + name).orElse(""))
                        .append('\n')
                        .append(history.text(branch.projectId(), migration.version())
                                .orElse(""))
                        .append("\n\n");
                requireSize(difference.length());
            }
        }
        return difference.toString();
    }

    /**
     * Applies to the parent what a branch has and it has not, in one transaction: all of it or nothing. A merge that was
     * interrupted may be sent again.
     *
     * @param last the last version to apply; empty for all
     * @return the versions that were applied
     * @throws ProblemException 409 if the two have grown apart, or the parent refuses the SQL
     */
    public List<String> merge(AuthorizedCall parent, Tenant branch, Optional<String> last) {
        TreeMap<String, Migration> theirs = committed(branch);
        TreeMap<String, Migration> ours = committed(parent.tenant());
        List<String> missing = ours.keySet().stream()
                .filter(version -> !theirs.containsKey(version))
                .toList();
        if (!missing.isEmpty()) {
            throw conflict("The project has migrations that the branch does not have: " + shown(missing) + ".")
                    .withHint("Rebase the branch, test it, and merge again.")
                    .with("versions", missing)
                    .asException();
        }
        List<MigrationRequest> fresh = new ArrayList<>();
        List<String> changed = new ArrayList<>();
        int size = 0;
        NavigableMap<String, Migration> taken =
                last.map(end -> theirs.headMap(end, true)).orElse(theirs);
        for (Migration migration : taken.values()) {
            String text = history.text(branch.projectId(), migration.version()).orElse("");
            if (!ours.containsKey(migration.version())) {
                size += text.length();
                requireSize(size);
                if (!text.isEmpty()) {
                    fresh.add(file(branch, migration, text));
                }
            } else if (!text.isEmpty()
                    && history.text(parent.tenant().projectId(), migration.version())
                            .filter(own -> !own.isEmpty() && !MigrationText.same(own, text))
                            .isPresent()) {
                changed.add(migration.version());
            }
        }
        if (!changed.isEmpty()) {
            throw conflict("The project has other migrations under the versions " + shown(changed) + ".")
                    .withHint("Repair one of the two histories, or give the branch's migration another version.")
                    .with("versions", changed)
                    .asException();
        }
        if (!fresh.isEmpty()) {
            apply(parent, fresh);
        }
        return fresh.stream().map(file -> file.version().orElseThrow()).toList();
    }

    private void apply(AuthorizedCall parent, List<MigrationRequest> fresh) {
        try {
            atomic.apply(parent, fresh);
        } catch (ProblemException e) {
            Problem problem = e.problem();
            if (problem.code().status() != 400) {
                throw e;
            }
            Problem conflict =
                    conflict(problem.detail()).with("reason", problem.code().wire());
            for (var member : problem.members().entrySet()) {
                conflict = conflict.with(member.getKey(), member.getValue());
            }
            throw conflict.withHint("Nothing was applied. Change the branch so that its migrations run on the project's"
                            + " data, or change the data.")
                    .asException(e);
        }
    }

    private static Problem conflict(String detail) {
        return Problem.of(ProblemCode.BRANCH_CONFLICT, detail);
    }

    private static String shown(List<String> versions) {
        return String.join(", ", versions.subList(0, Math.min(5, versions.size())))
                + (versions.size() > 5 ? " and " + (versions.size() - 5) + " more" : "");
    }

    private static void requireSize(int characters) {
        if (characters > MAX_MERGED) {
            throw Problem.of(
                            ProblemCode.SQL_TOO_LARGE,
                            "The migrations of the branch are longer than " + MAX_MERGED + " characters in all.")
                    .withHint("Apply them to the project with POST /v1/projects/{ref}/database/migrations.")
                    .asException();
        }
    }

    /** A migration of a project, with what undoes it. */
    private MigrationRequest file(Tenant from, Migration migration, String text) {
        return MigrationRequest.ofFile(text, migration.name(), migration.version())
                .withRollback(history.rollback(from.projectId(), migration.version()));
    }

    /** @throws ProblemException 409 for one whose outcome is not known */
    private TreeMap<String, Migration> committed(Tenant tenant) {
        TreeMap<String, Migration> found = new TreeMap<>();
        String after = "";
        while (true) {
            List<Migration> page = history.page(tenant.projectId(), after, PAGE);
            for (Migrations.Known known : migrations.known(tenant, page)) {
                if (known.status() != Status.COMMITTED) {
                    throw Migrations.conflict(known).asException();
                }
                found.put(known.migration().version(), known.migration());
            }
            if (page.size() < PAGE) {
                return found;
            }
            if (found.size() > MAX_VERSIONS) {
                throw Problem.of(
                                ProblemCode.BRANCH_CONFLICT,
                                "Projects with more than " + MAX_VERSIONS + " migrations have no branches.")
                        .asException();
            }
            after = page.getLast().version();
        }
    }
}
