package svc.management.types;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The identifiers of one scope. An identifier that is taken already gets a number: {@code TodoItems_2}. What comes first keeps
 * the plain one.
 */
final class UniqueNames {
    private final Set<String> taken;
    private final Map<String, Integer> numbers = new HashMap<>();

    /** @param reserved never given */
    UniqueNames(Set<String> reserved) {
        this.taken = new HashSet<>(reserved);
    }

    /** An identifier that is free. */
    String claim(String wanted) {
        return claim(wanted, List.of(""));
    }

    /** An identifier that is free with each of the endings. */
    String claim(String wanted, List<String> endings) {
        String given = wanted;
        while (endings.stream().map(given::concat).anyMatch(taken::contains)) {
            given = wanted + "_" + numbers.merge(wanted, 2, (number, unused) -> number + 1);
        }
        endings.stream().map(given::concat).forEach(taken::add);
        return given;
    }

    /**
     * Identifiers by name. A name that is its own identifier keeps it, whatever comes before it.
     *
     * @param names each once
     */
    Map<String, String> claimAll(List<String> names, UnaryOperator<String> convert) {
        Map<String, String> given = new LinkedHashMap<>();
        List<String> others = new ArrayList<>();
        for (String name : names) {
            String wanted = convert.apply(name);
            if (wanted.equals(name)) {
                given.put(name, claim(wanted));
            } else {
                others.add(name);
            }
        }
        others.forEach(name -> given.put(name, claim(convert.apply(name))));
        return given;
    }
}
