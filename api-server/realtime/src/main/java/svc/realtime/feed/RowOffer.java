package svc.realtime.feed;

import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import svc.realtime.feed.PendingChange.SharedRow;
import svc.realtime.feed.TableFilter.Decision;
import svc.realtime.filter.Comparison;
import svc.realtime.row.ChangeJson;

/** A row that is held against the filters of one group: whether it is wanted, and what PostgreSQL must decide for that. */
final class RowOffer {
    /** Conditions of a row that PostgreSQL decides for the group, each by a statement of its own. */
    private static final int MAX_ASKED = 100;

    /** For subscriptions with a condition more. */
    static final String TOO_MANY_ASKED = "Changes are lost: the subscribers with these credentials have more than "
            + MAX_ASKED + " filters on the table that PostgreSQL must decide; use eq or in on a column of a plain type";

    private final SharedRow row;
    private final TableAccess access;
    private final ConditionPauses pauses;
    private final boolean shown;
    private final Set<Comparison> undecided = new LinkedHashSet<>(0);
    private final Set<FeedSubscription> beyond = new LinkedHashSet<>(0);
    private boolean wanted;

    RowOffer(SharedRow row, TableAccess access, ConditionPauses pauses) {
        this.row = row;
        this.access = access;
        this.pauses = pauses;
        this.shown = ChangeJson.obstacle(row.row(), access.selectable()).isEmpty();
    }

    void to(FeedSubscription subscription) {
        for (ParsedBinding binding : subscription.bindings()) {
            if (binding.asksFor(row.row())) {
                wanted |= !shown || mayPass(subscription, binding);
            }
        }
    }

    private boolean mayPass(FeedSubscription subscription, ParsedBinding binding) {
        if (!binding.mayFilter(access)) {
            subscription.failedOnce("Changes are lost: permission denied for a column of the filter");
            return false;
        }
        Decision decision = binding.decide(row, access);
        if (!decision.mayPass() || isPaused(decision)) {
            return false;
        }
        Set<Comparison> more = new LinkedHashSet<>(decision.undecided());
        more.removeAll(undecided);
        if (undecided.size() + more.size() > MAX_ASKED) {
            // Said when the row is seen: before that it would tell of a row that policies hide.
            beyond.add(subscription);
        } else {
            undecided.addAll(more);
        }
        return true;
    }

    private boolean isPaused(Decision decision) {
        return decision.undecided().stream()
                .anyMatch(comparison -> pauses.reason(comparison).isPresent());
    }

    /** @param only the one subscription that the row is for, or empty */
    Optional<PendingChange> pending(Optional<FeedSubscription> only) {
        return wanted
                ? Optional.of(new PendingChange(row, access, new Open(undecided, beyond), only))
                : Optional.empty();
    }

    /**
     * What is open about a row.
     *
     * @param undecided conditions that PostgreSQL is to decide; a binding with another undecided one is not passed
     * @param beyond subscriptions with such a binding
     */
    record Open(Set<Comparison> undecided, Set<FeedSubscription> beyond) {}
}
