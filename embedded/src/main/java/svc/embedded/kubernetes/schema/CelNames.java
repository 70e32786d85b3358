package svc.embedded.kubernetes.schema;

import com.google.re2j.Pattern;
import java.util.Optional;
import java.util.Set;

/**
 * How a rule spells a field's name: {@code namespace} is written {@code __namespace__}, {@code cert-manager} is written
 * {@code cert__dash__manager}. Source: Kubernetes, "Validation rules", escaping of property names.
 */
final class CelNames {

    private static final Set<String> KEYWORDS = Set.of(
            "true",
            "false",
            "null",
            "in",
            "as",
            "break",
            "const",
            "continue",
            "else",
            "for",
            "function",
            "if",
            "import",
            "let",
            "loop",
            "package",
            "namespace",
            "return",
            "var",
            "void",
            "while");
    private static final Pattern IDENTIFIER = Pattern.compile("^[A-Za-z_][A-Za-z0-9_]*$");

    private CelNames() {}

    /** Empty for a name that no rule can spell. */
    static Optional<String> escape(String name) {
        if (KEYWORDS.contains(name)) {
            return Optional.of("__" + name + "__");
        }
        String escaped = name.replace("__", "__underscores__")
                .replace(".", "__dot__")
                .replace("-", "__dash__")
                .replace("/", "__slash__");
        return Optional.of(escaped).filter(candidate -> IDENTIFIER.matches(candidate));
    }
}
