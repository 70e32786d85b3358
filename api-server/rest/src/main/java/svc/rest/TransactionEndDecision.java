package svc.rest;

import java.util.Optional;
import svc.crds.project.service.TransactionEnd;
import svc.rest.request.Preferences.Transaction;

/**
 * How a request's transaction ends, by the project's {@code db-tx-end} and the preference {@code tx}.
 *
 * @param rollsBack whether it is rolled back
 * @param preferred whether the project lets the caller override it
 */
record TransactionEndDecision(boolean rollsBack, boolean preferred) {
    static TransactionEndDecision of(TransactionEnd project, Optional<Transaction> preference) {
        return switch (project) {
            case COMMIT -> new TransactionEndDecision(false, false);
            case ROLLBACK -> new TransactionEndDecision(true, false);
            case COMMIT_ALLOW_OVERRIDE ->
                new TransactionEndDecision(
                        preference.filter(Transaction.ROLLBACK::equals).isPresent(), true);
            case ROLLBACK_ALLOW_OVERRIDE ->
                new TransactionEndDecision(
                        preference.filter(Transaction.COMMIT::equals).isEmpty(), true);
        };
    }
}
