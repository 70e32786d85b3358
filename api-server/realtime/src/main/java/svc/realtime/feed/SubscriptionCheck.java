package svc.realtime.feed;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import svc.catalog.ProjectSchema;
import svc.catalog.QualifiedIdentifier;
import svc.catalog.Table;
import svc.platform.tenancy.DisplayedNames;
import svc.platform.tenancy.Tenant;
import svc.postgres.SqlError;
import svc.realtime.filter.Comparison;

/** Whether the database can serve bindings: their tables are published, their columns there, their values of the type. */
final class SubscriptionCheck {
    private final FeedResources resources;
    private final ProjectFeed feed;

    /** What the caller may see of a table, by its OID. */
    private final Map<Long, TableAccess> access = new HashMap<>();

    SubscriptionCheck(FeedResources resources, ProjectFeed feed) {
        this.resources = resources;
        this.feed = feed;
    }

    /** What is wrong. */
    sealed interface Outcome {
        record Served() implements Outcome {}

        /** @param later whether it may be served in a moment: a table is published shortly after the tenant says so */
        record Refused(String message, boolean later) implements Outcome {}
    }

    /** Blocks. @throws SqlError when the database cannot be asked */
    Outcome check(FeedSubscription subscription) {
        // Only what is refused needs the schema of this moment.
        Outcome known = check(subscription, resources.schemas().get(FeedSchema.scope(feed.tenant()), feed.tenant()));
        return known instanceof Outcome.Served
                ? known
                : check(subscription, resources.schemas().current(FeedSchema.scope(feed.tenant()), feed.tenant()));
    }

    private Outcome check(FeedSubscription subscription, ProjectSchema schema) {
        Tenant tenant = feed.tenant();
        access.clear();
        Map<ParsedBinding, List<Table>> asked = new IdentityHashMap<>();
        subscription.bindings().forEach(binding -> asked.put(binding, tables(binding, tenant, schema)));
        Set<Long> published = published(tenant, asked.values());
        for (ParsedBinding binding : subscription.bindings()) {
            List<Table> tables = asked.get(binding);
            if (tables.stream().noneMatch(table -> published.contains(table.oid()))) {
                return new Outcome.Refused(binding.notPublished(), true);
            }
            if (!binding.everyTable()) {
                Optional<String> wrong = wrong(subscription, binding, tables.getFirst());
                if (wrong.isPresent()) {
                    return new Outcome.Refused(binding.exception(wrong.get()), false);
                }
            }
        }
        return new Outcome.Served();
    }

    /** By one query, however many bindings a stranger sends. */
    private Set<Long> published(Tenant tenant, Collection<List<Table>> asked) {
        Set<Long> tables = asked.stream().flatMap(List::stream).map(Table::oid).collect(Collectors.toSet());
        return TableAccess.published(resources.catalog(tenant), tenant.database(), tables);
    }

    /** Only tables of the main schema can be published. */
    private static List<Table> tables(ParsedBinding binding, Tenant tenant, ProjectSchema schema) {
        String main = tenant.names().schemaName();
        if (!binding.hasSchema(DisplayedNames.of(tenant).in(main))) {
            return List.of();
        }
        return binding.everyTable()
                ? List.copyOf(schema.tables())
                : schema
                        .table(new QualifiedIdentifier(
                                main, binding.binding().table().orElseThrow()))
                        .stream()
                        .toList();
    }

    private Optional<String> wrong(FeedSubscription subscription, ParsedBinding binding, Table table) {
        Optional<String> unknown = binding.unknownColumn(table);
        if (unknown.isPresent() || binding.filter().conditions().isEmpty()) {
            return unknown;
        }
        return isReadable(subscription, binding, table)
                ? wrongValue(subscription, binding, table)
                : Optional.of("permission denied for table " + table.name());
    }

    /** As the REST API has it: which rows pass a filter tells the values of its columns. */
    private boolean isReadable(FeedSubscription subscription, ParsedBinding binding, Table table) {
        Tenant tenant = feed.tenant();
        String role = subscription.caller().roleName(tenant);
        return binding.mayFilter(access.computeIfAbsent(
                table.oid(), oid -> TableAccess.read(resources.catalog(tenant), tenant.database(), table, role)));
    }

    /** PostgreSQL reads the values that are not understood here, as the caller, whose code its types may run. */
    private Optional<String> wrongValue(FeedSubscription subscription, ParsedBinding binding, Table table) {
        List<Comparison> unchecked =
                new ArrayList<>(binding.filter().comparisons(table).orElseThrow());
        unchecked.removeIf(comparison -> !comparison.isUnchecked());
        GroupKey key = GroupKey.of(feed.tenant(), subscription.caller());
        for (Comparison comparison : unchecked) {
            try {
                feed.checks()
                        .run(key, RowCheck.passing(comparison, List.of(sample(comparison))))
                        .join();
            } catch (CompletionException e) {
                if (e.getCause() instanceof SqlError error && error.fromServer() && !error.infrastructure()) {
                    return Optional.of(DisplayedNames.of(feed.tenant()).in(error.getMessage()));
                }
                throw e.getCause() instanceof RuntimeException failure ? failure : e;
            }
        }
        return Optional.empty();
    }

    /** A value of the column's type, so that the comparison is made: a null would end it early. */
    private static Optional<String> sample(Comparison comparison) {
        if (comparison.condition().operator().comparesTexts()) {
            return comparison.isText() ? Optional.of("") : Optional.empty();
        }
        return Optional.of(comparison.condition().values().getFirst());
    }
}
