package svc.graphql.document;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import svc.graphql.error.GraphqlError;
import svc.graphql.request.GraphqlLimits;

/**
 * What an operation asks for once its fragments are in their places, known without putting them there: a fragment counts as
 * often as it is spread, and the value of a variable as often as it is used. Takes time linear in the document and the
 * variables.
 *
 * @param fields selections
 * @param values the weight of all values, as {@link ValueWeight} has it
 */
public record OperationSize(long fields, long values) {
    /** More than any limit, and small enough to be multiplied. */
    private static final long MANY = 1L << 30;

    private static final int SMALL_FIELDS = 300;
    private static final int SMALL_VALUES = 32 * 1024;

    /** How often each variable may be used whatever its size, so that the limit grows with the request. */
    private static final int USES = 2;

    /** Whether it is planned in a millisecond. */
    public boolean isSmall() {
        return fields <= SMALL_FIELDS && values <= SMALL_VALUES;
    }

    /**
     * The size of an operation.
     *
     * @param order of the fragments, each after those that it spreads
     * @param variables the value of a variable; null without one
     * @throws GraphqlError for a larger one than the limits allow
     */
    static OperationSize of(
            DefinitionSize operation,
            Map<String, DefinitionSize> fragments,
            List<String> order,
            Function<String, JsonNode> variables,
            GraphqlLimits limits) {
        var sum = new Sum();
        sum.add(operation, 1);
        for (int i = order.size() - 1; i >= 0; i--) {
            String fragment = order.get(i);
            sum.add(fragments.get(fragment), sum.times.getOrDefault(fragment, 0L));
        }
        if (sum.fields > limits.fields()) {
            throw new GraphqlError("The operation has more than " + limits.fields() + " fields");
        }
        long values = sum.literals;
        long allowed = limits.values();
        for (Map.Entry<String, Long> used : sum.uses.entrySet()) {
            JsonNode value = variables.apply(used.getKey());
            long weight = value == null ? 0 : ValueWeight.of(value);
            values += used.getValue() * weight;
            allowed += USES * weight;
        }
        if (values > allowed) {
            throw new GraphqlError("The values of the operation have more than " + allowed
                    + " characters, those of a variable counted as often as it is used: use large variables and the"
                    + " fragments with them in fewer places");
        }
        return new OperationSize(sum.fields, values);
    }

    private static final class Sum {
        private final Map<String, Long> times = new HashMap<>();
        private final Map<String, Long> uses = new HashMap<>();
        private long fields;
        private long literals;

        private void add(DefinitionSize size, long count) {
            if (count == 0) {
                return;
            }
            fields = Math.min(MANY, fields + count * size.fields());
            literals += count * size.literals();
            size.variables().forEach(name -> uses.merge(name, count, Sum::bounded));
            size.spreads().forEach(name -> times.merge(name, count, Sum::bounded));
        }

        private static long bounded(long a, long b) {
            return Math.min(MANY, a + b);
        }
    }
}
