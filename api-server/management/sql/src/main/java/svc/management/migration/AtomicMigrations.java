package svc.management.migration;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import svc.management.migration.MigrationViews.FileView;
import svc.management.query.AtomicCalls;
import svc.management.query.AuthorizedCall;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;

/**
 * Applies several migrations in one transaction: all of them or none. There is no rehearsal, because a transaction that is
 * rolled back may use up what the next one needs: the values of a sequence.
 */
@ApplicationScoped
class AtomicMigrations {
    private static final String FAILED = "failed";
    private static final String NOT_RUN = "not_run";

    private final AtomicCalls atomic;
    private final MigrationClaims claims;

    AtomicMigrations(AtomicCalls atomic, MigrationClaims claims) {
        this.atomic = atomic;
        this.claims = claims;
    }

    /**
     * Applies files of one call, which was counted.
     *
     * @param files at least one, each with a version that the history has not
     * @throws ProblemException if none of them is applied, unless it is {@code upstream_failed}; with what became of each file
     *     where one is at fault
     */
    void apply(AuthorizedCall authorized, List<MigrationRequest> files) {
        List<AuthorizedCall> texts =
                files.stream().map(file -> authorized.with(file.query())).toList();
        List<Migration> claimed = new ArrayList<>();
        Optional<AtomicCalls.Stop> stop;
        try {
            stop = atomic.run(texts, transaction -> claimed.addAll(claims.begin(authorized, files, transaction)));
        } catch (RuntimeException e) {
            claims.settled(authorized.tenant(), claimed);
            throw e;
        }
        boolean committed = claims.settled(authorized.tenant(), claimed) && !claimed.isEmpty();
        if (stop.isEmpty()) {
            return;
        }
        Problem problem = stop.get().problem();
        // The commit succeeded, only its response was lost.
        if (!committed || problem.code() != ProblemCode.UPSTREAM_FAILED) {
            throw stop.get()
                    .index()
                    .map(index -> inFolder(problem, files, index))
                    .orElse(problem)
                    .asException();
        }
    }

    private static Problem inFolder(Problem problem, List<MigrationRequest> files, int failed) {
        List<FileView> views = new ArrayList<>();
        for (int i = 0; i < files.size(); i++) {
            views.add(FileView.of(files.get(i), i == failed ? FAILED : NOT_RUN));
        }
        return MigrationProblems.inFolder(problem, files.get(failed), views);
    }
}
