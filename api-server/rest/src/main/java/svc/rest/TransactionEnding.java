package svc.rest;

import java.util.Optional;
import svc.crds.project.service.TransactionEnd;
import svc.rest.request.Preferences.Transaction;

/**
 * How a request's transaction ends, as the project and the caller's preference decide it.
 *
 * @param rollsBack whether nothing of it stays
 * @param preferred whether the caller's word counts
 */
record TransactionEnding(boolean rollsBack, boolean preferred) {
    static TransactionEnding of(TransactionEnd project, Optional<Transaction> preference) {
        return switch (project) {
            case COMMIT -> new TransactionEnding(false, false);
            case ROLLBACK -> new TransactionEnding(true, false);
            case COMMIT_ALLOW_OVERRIDE ->
                new TransactionEnding(
                        preference.filter(Transaction.ROLLBACK::equals).isPresent(), true);
            case ROLLBACK_ALLOW_OVERRIDE ->
                new TransactionEnding(
                        preference.filter(Transaction.COMMIT::equals).isEmpty(), true);
        };
    }
}
