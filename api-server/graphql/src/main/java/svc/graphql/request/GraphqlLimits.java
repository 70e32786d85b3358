package svc.graphql.request;

/**
 * Limits on one operation, so that a small document cannot make a large statement or a large answer.
 *
 * @param depth nested fields, fragments and aliases aside
 * @param fields selections, each counted as often as fragments repeat it
 * @param values characters of all values, those of a variable counted as often as it is used; the variables of the
 *     request add to it
 * @param rootFields fields of Query or Mutation
 * @param aliases aliased fields
 * @param rows rows that the collections may have at most, as the product of the page sizes along each path
 * @param filters conditions in all filters together
 * @param objects rows of one insert
 * @param related relations that filters and orders follow
 * @param reads rows that PostgreSQL reads, by its estimates of the relations' sizes
 */
public record GraphqlLimits(
        int depth,
        int fields,
        long values,
        int rootFields,
        int aliases,
        long rows,
        int filters,
        int objects,
        int related,
        long reads) {
    /** The most tokens of a document. */
    public static final int MAX_TOKENS = 15_000;

    /** The most characters of a document. */
    public static final int MAX_CHARACTERS = 200_000;

    /** Planned in a tenth of a second. */
    private static final long MAX_VALUES = 4_000_000;

    /** The limits of the platform with the depth that a project chose. */
    public static GraphqlLimits of(int depth) {
        return new GraphqlLimits(depth, 4_000, MAX_VALUES, 50, 500, 1_000_000, 500, 5_000, 20, 100_000_000);
    }
}
