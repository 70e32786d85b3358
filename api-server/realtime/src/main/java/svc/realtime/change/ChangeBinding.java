package svc.realtime.change;

import java.util.List;
import java.util.Optional;

/**
 * One entry of {@code config.postgres_changes} of a join, as the client sent it: the reply must echo it to the letter, or
 * realtime-js gives the channel up.
 *
 * @param event {@code INSERT}, {@code UPDATE}, {@code DELETE} or {@code *}
 * @param schema as the tenant writes it, such as {@code public}, or {@code *}
 * @param table empty stands for every table
 * @param filter such as {@code id=eq.1}; not parsed
 * @param select the columns that a change carries; empty stands for all
 */
public record ChangeBinding(
        String event, String schema, Optional<String> table, Optional<String> filter, Optional<List<String>> select) {
    public ChangeBinding {
        select = select.map(List::copyOf);
    }
}
