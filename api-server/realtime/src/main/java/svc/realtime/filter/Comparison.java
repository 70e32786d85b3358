package svc.realtime.filter;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import svc.catalog.DataType;

/**
 * A condition on a column of a known type, decided in memory where that gives PostgreSQL's own answer. Texts are compared
 * for equality only, because their order is the collation's; regular expressions are PostgreSQL's.
 */
public final class Comparison {
    private static final long MAX_LIKE_STEPS = 1_000_000;

    private final Condition condition;
    private final DataType type;

    /** The operands as values in order; empty when one is not known in memory. */
    private final Optional<List<Comparable<?>>> operands;

    private Comparison(Condition condition, DataType type, Optional<List<Comparable<?>>> operands) {
        this.condition = condition;
        this.type = type;
        this.operands = operands;
    }

    public static Comparison of(Condition condition, DataType type) {
        List<Comparable<?>> known = condition.values().stream()
                .<Comparable<?>>mapMulti(
                        (value, out) -> OrderedValue.of(type, value).ifPresent(out::accept))
                .toList();
        return new Comparison(
                condition, type, known.size() == condition.values().size() ? Optional.of(known) : Optional.empty());
    }

    public Condition condition() {
        return condition;
    }

    public DataType type() {
        return type;
    }

    /** Whether PostgreSQL must say if the operand is a value of the type at all. */
    public boolean isUnchecked() {
        return switch (condition.operator()) {
            case IS -> !isNullTest() && !type.isBuiltin("bool");
            case LIKE, ILIKE -> false;
            case MATCH, IMATCH -> true;
            default -> operands.isEmpty() && !isText();
        };
    }

    private boolean isNullTest() {
        return condition.values().getFirst().equals("null");
    }

    /** Whether a row with this value passes. @param value in PostgreSQL's text form; empty for null */
    public Verdict decide(Optional<String> value) {
        return switch (condition.operator()) {
            case IS -> is(value).negatedIf(condition.negated());
            case ISDISTINCT ->
                (value.isEmpty() ? Verdict.TRUE : equal(value.get()).negatedIf(true)).negatedIf(condition.negated());
            default ->
                value.map(text -> compare(text).negatedIf(condition.negated())).orElse(Verdict.FALSE);
        };
    }

    private Verdict is(Optional<String> value) {
        String wanted = condition.values().getFirst();
        if (wanted.equals("null")) {
            return Verdict.of(value.isEmpty());
        }
        if (!type.isBuiltin("bool")) {
            return Verdict.UNDECIDED;
        }
        return wanted.equals("unknown")
                ? Verdict.of(value.isEmpty())
                : Verdict.of(value.filter(wanted.substring(0, 1)::equals).isPresent());
    }

    private Verdict compare(String value) {
        return switch (condition.operator()) {
            case EQ -> equal(value);
            case NEQ -> equal(value).negatedIf(true);
            case IN -> in(value);
            case LT, LTE, GT, GTE -> ordered(value);
            case LIKE -> like(value, false);
            case ILIKE -> like(value, true);
            default -> Verdict.UNDECIDED;
        };
    }

    private Verdict equal(String value) {
        return in(value);
    }

    private Verdict in(String value) {
        if (isText()) {
            return Verdict.of(condition.values().contains(value));
        }
        Optional<Comparable<?>> known = OrderedValue.of(type, value);
        if (operands.isEmpty() || known.isEmpty()) {
            return Verdict.UNDECIDED;
        }
        return Verdict.of(operands.get().stream().anyMatch(operand -> compare(known.get(), operand) == 0));
    }

    private Verdict ordered(String value) {
        Optional<Comparable<?>> known = OrderedValue.of(type, value);
        if (operands.isEmpty() || known.isEmpty()) {
            return Verdict.UNDECIDED;
        }
        int order = compare(known.get(), operands.get().getFirst());
        return Verdict.of(
                switch (condition.operator()) {
                    case LT -> order < 0;
                    case LTE -> order <= 0;
                    case GT -> order > 0;
                    default -> order >= 0;
                });
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // Both are of one type's class.
    private static int compare(Comparable<?> one, Comparable<?> other) {
        return ((Comparable) one).compareTo(other);
    }

    /** Trailing blanks of {@code char(n)} do not count in PostgreSQL, and some types compare without regard to case. */
    public boolean isText() {
        return type.isBuiltin("text") || type.isBuiltin("varchar");
    }

    private Verdict like(String value, boolean ignoringCase) {
        String pattern = condition.values().getFirst();
        // A long pattern on a long text takes long; PostgreSQL can be stopped.
        if ((long) pattern.length() * value.length() > MAX_LIKE_STEPS) {
            return Verdict.UNDECIDED;
        }
        if (!isText() || pattern.endsWith("\\") || (ignoringCase && !(isAscii(value) && isAscii(pattern)))) {
            return Verdict.UNDECIDED;
        }
        return Verdict.of(
                ignoringCase
                        ? LikePattern.matches(pattern.toLowerCase(Locale.ROOT), value.toLowerCase(Locale.ROOT))
                        : LikePattern.matches(pattern, value));
    }

    private static boolean isAscii(String text) {
        return text.chars().allMatch(c -> c < 0x80);
    }
}
