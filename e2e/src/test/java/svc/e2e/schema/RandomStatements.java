package svc.e2e.schema;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Statements with names and options at random, the same of the same seed. */
class RandomStatements {
    private static final String[] ODD_NAMES = {
        "select",
        "order",
        "Upper",
        "with space",
        "quo\"te",
        "apos'trophe",
        "ümläut",
        "日本",
        "back\\slash",
        "t",
        "held",
        "$dollar",
        "a.b",
        "-- x"
    };

    final Random random;
    final List<String> statements = new ArrayList<>();
    private final Set<String> names = new LinkedHashSet<>();

    RandomStatements(long seed) {
        this.random = new Random(seed);
    }

    final void comment(String target) {
        some("comment on %s is %s", target, pick("'it''s'", "E'two\\nlines \\\\'", "'ünï'"));
    }

    final String name() {
        String name;
        do {
            name = pick(ODD_NAMES) + (random.nextBoolean() ? "" : Integer.toString(random.nextInt(100)));
        } while (!names.add(name));
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    final void some(String format, Object... arguments) {
        if (random.nextInt(3) > 0) {
            add(format, arguments);
        }
    }

    final void add(String format, Object... arguments) {
        statements.add(arguments.length == 0 ? format : format.formatted(arguments));
    }

    final String maybe(String text) {
        return random.nextBoolean() ? text : "";
    }

    @SafeVarargs
    final <T> T pick(T... choices) {
        return choices[random.nextInt(choices.length)];
    }
}
