package svc.realtime.feed;

import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import svc.platform.dataplane.Caller;
import svc.platform.tenancy.Tenant;
import svc.realtime.row.ChangedRow;

/** The groups of a project's subscribers, and what all of them hear of losses. Used by the tasks of its feed. */
final class CallerGroups {
    private final Supplier<Tenant> tenant;
    private final FeedResources resources;
    private final Map<GroupKey, CallerGroup> groups = new LinkedHashMap<>();

    /** Whether some subscription has heard of a loss since the last batch. */
    private boolean lossReported;

    CallerGroups(Supplier<Tenant> tenant, FeedResources resources) {
        this.tenant = tenant;
        this.resources = resources;
    }

    /** The group of a caller, made if there is none. */
    CallerGroup of(Caller caller) {
        return groups.computeIfAbsent(
                GroupKey.of(tenant.get(), caller),
                key -> new CallerGroup(
                        key,
                        resources.settings(),
                        resources.metrics(),
                        resources.memory().account(tenant.get().projectId().toString())));
    }

    /** The group that has the subscription as a member. */
    Optional<CallerGroup> having(FeedSubscription subscription) {
        return Optional.ofNullable(groups.get(GroupKey.of(tenant.get(), subscription.caller())))
                .filter(group -> group.subscriptions().contains(subscription));
    }

    void closeIfEmpty(CallerGroup group) {
        if (group.subscriptions().isEmpty()) {
            group.close();
            groups.remove(group.key());
        }
    }

    boolean isEmpty() {
        return groups.isEmpty();
    }

    Collection<CallerGroup> all() {
        return List.copyOf(groups.values());
    }

    /** Those with a subscription that asks for changes like this one. */
    List<CallerGroup> askingFor(ChangedRow row) {
        return groups.values().stream()
                .filter(group -> group.subscriptions().stream()
                        .anyMatch(subscription ->
                                subscription.bindings().stream().anyMatch(binding -> binding.asksFor(row))))
                .toList();
    }

    /** Tells subscriptions of a loss, each once until the next batch. @param arrived when the last change committed */
    void lost(String reason, Instant arrived, Predicate<FeedSubscription> concerned) {
        all().forEach(group -> List.copyOf(group.subscriptions()).stream()
                .filter(FeedSubscription::isActive)
                .filter(concerned)
                .forEach(subscription -> subscription.lost(reason, arrived)));
        lossReported = true;
    }

    /** Changes arrive: the next loss is another one. */
    void arriving() {
        if (lossReported) {
            lossReported = false;
            groups.values().forEach(group -> group.subscriptions().forEach(FeedSubscription::arriving));
        }
    }
}
