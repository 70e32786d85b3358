package svc.database.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.text.Normalizer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The rule of the operator and of the API server that text of others is read in time linear in its length: by RE2J ({@code
 * com.google.re2j}) or by a scanner. Java's own expressions backtrack, and recurse for each character of a group; its
 * normalisation sorts runs of combining marks.
 *
 * @param allowed names of single classes, each with the bound of the text that it reads
 */
public record LinearText(Map<String, String> allowed) {
    private static final Set<String> BY_EXPRESSION = Set.of("matches", "replaceAll", "replaceFirst");

    public LinearText {
        allowed = Map.copyOf(allowed);
    }

    /** Fails for each use by a class that is not allowed. */
    public ArchRule rule() {
        return noClasses()
                .that(DescribedPredicate.describe("are not allowed to", type -> !allows(type)))
                .should(readTextByExpressions())
                .because(
                        "one request could occupy a processor for minutes: use com.google.re2j, a scanner, or allow the"
                                + " class, with the bound of its text");
    }

    /** The entries whose class does not exist, or does not use what they allow. */
    public Set<String> unused(JavaClasses classes) {
        Set<String> unused = new TreeSet<>(allowed.keySet());
        classes.stream().filter(each -> !uses(each).isEmpty()).forEach(each -> unused.remove(outermost(each)));
        return unused;
    }

    private boolean allows(JavaClass type) {
        return allowed.containsKey(outermost(type));
    }

    private static String outermost(JavaClass type) {
        int nested = type.getName().indexOf('$');
        return nested < 0 ? type.getName() : type.getName().substring(0, nested);
    }

    private static List<String> uses(JavaClass type) {
        Stream<String> calls = type.getMethodCallsFromSelf().stream()
                .filter(call -> call.getTargetOwner().isEquivalentTo(String.class)
                        && BY_EXPRESSION.contains(call.getTarget().getName()))
                .map(Object::toString);
        Stream<String> types = type.getDirectDependenciesFromSelf().stream()
                .filter(dependency ->
                        dependency.getTargetClass().getPackageName().equals("java.util.regex")
                                || dependency.getTargetClass().isEquivalentTo(Normalizer.class))
                .map(dependency -> dependency.getDescription());
        return Stream.concat(calls, types).toList();
    }

    private static ArchCondition<JavaClass> readTextByExpressions() {
        return new ArchCondition<>("read text by Java's expressions or normalise it") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                uses(type).forEach(use -> events.add(SimpleConditionEvent.satisfied(type, use)));
            }
        };
    }
}
