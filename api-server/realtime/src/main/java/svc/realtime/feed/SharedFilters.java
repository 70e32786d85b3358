package svc.realtime.feed;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import svc.realtime.filter.Condition;

/**
 * The filters of a project's subscribers in this process. Each row is held against each distinct filter once, so their
 * number is what a row costs: it is bounded, because every stranger with the project's public key may subscribe.
 * Thread-safe.
 */
final class SharedFilters {
    /** Conditions of all distinct filters together. */
    static final int MAX_CONDITIONS = 20_000;

    private final Map<Key, Shared> filters = new HashMap<>();
    private int conditions;

    private record Key(String table, List<Condition> conditions) {}

    private static final class Shared {
        private final TableFilter filter;
        private int users;

        Shared(TableFilter filter) {
            this.filter = filter;
        }
    }

    /**
     * The same bindings with filters that equal ones share, until {@link #release}; empty when the project has too many
     * conditions. Bindings that are refused need no release.
     */
    synchronized Optional<List<ParsedBinding>> share(List<ParsedBinding> bindings) {
        List<ParsedBinding> sharing = new ArrayList<>(bindings.size());
        for (ParsedBinding binding : bindings) {
            sharing.add(binding.with(use(binding)));
        }
        if (conditions > MAX_CONDITIONS) {
            release(sharing);
            return Optional.empty();
        }
        return Optional.of(List.copyOf(sharing));
    }

    private TableFilter use(ParsedBinding binding) {
        Shared shared = filters.computeIfAbsent(key(binding), key -> {
            conditions += key.conditions().size();
            return new Shared(binding.filter());
        });
        shared.users++;
        return shared.filter;
    }

    synchronized void release(List<ParsedBinding> bindings) {
        for (ParsedBinding binding : bindings) {
            Key key = key(binding);
            Shared shared = filters.get(key);
            shared.users--;
            if (shared.users == 0) {
                filters.remove(key);
                conditions -= key.conditions().size();
            }
        }
    }

    private static Key key(ParsedBinding binding) {
        return new Key(binding.binding().table().orElse("*"), binding.filter().conditions());
    }
}
