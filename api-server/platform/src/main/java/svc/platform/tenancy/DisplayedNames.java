package svc.platform.tenancy;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import svc.database.name.DatabaseRole;
import svc.database.name.FurtherSchema;
import svc.database.name.Layout;
import svc.database.name.ProjectNames;

/**
 * The names of schemas and roles that applications use, in place of the project's names in the database: a message says
 * {@code public.todos}, as the SQL endpoint does, and not a name that no application writes. In an adopted
 * database every name is what it says.
 */
public final class DisplayedNames {
    private final Optional<String> schema;

    /** What follows the schema's name in a longer one, with the name that is shown instead. */
    private final Map<String, String> suffixes;

    /** Of a further schema, whose alias is the rest of its name; none has such names in a database of one project. */
    private final Optional<ProjectNames> further;

    private DisplayedNames(Optional<String> schema, Map<String, String> suffixes, Optional<ProjectNames> further) {
        this.schema = schema;
        this.suffixes = suffixes;
        this.further = further;
    }

    public static DisplayedNames of(Tenant tenant) {
        if (tenant.adoption().isPresent()) {
            return new DisplayedNames(Optional.empty(), Map.of(), Optional.empty());
        }
        ProjectNames names = tenant.names();
        Map<String, String> suffixes = new HashMap<>();
        suffixes.put("", "public");
        if (names.layout() == Layout.SHARED) {
            suffixes.put("_auth", "auth");
            suffixes.put("_storage", "storage");
            suffixes.put("_realtime", "realtime");
        }
        suffixes.put(role(DatabaseRole.ANON), "anon");
        suffixes.put(role(DatabaseRole.AUTHENTICATED), "authenticated");
        suffixes.put(role(DatabaseRole.SERVICE), "service_role");
        suffixes.put(role(DatabaseRole.API), "authenticator");
        suffixes.put(role(DatabaseRole.OWNER), "postgres");
        return new DisplayedNames(
                Optional.of(names.schemaName()),
                suffixes,
                Optional.of(names).filter(any -> names.layout() == Layout.SHARED));
    }

    private static String role(DatabaseRole role) {
        return "_" + role.suffix();
    }

    /** The text with the names that applications use. Only whole names are replaced. */
    public String in(String text) {
        return schema.filter(text::contains).map(name -> replaced(text, name)).orElse(text);
    }

    private String replaced(String text, String name) {
        var shown = new StringBuilder(text.length());
        int copied = 0;
        for (int at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length())) {
            int end = at + name.length();
            while (end < text.length() && isNamePart(text.charAt(end))) {
                end++;
            }
            String alias = alias(text.substring(at, end), name);
            if (alias != null && (at == 0 || !isNamePart(text.charAt(at - 1)))) {
                shown.append(text, copied, at).append(alias);
                copied = end;
            }
        }
        return shown.append(text, copied, text.length()).toString();
    }

    /** Null for a name that is none of the project's. */
    private String alias(String found, String name) {
        String known = suffixes.get(found.substring(name.length()));
        return known != null
                ? known
                : further.flatMap(names -> names.furtherOf(found))
                        .map(FurtherSchema::alias)
                        .orElse(null);
    }

    private static boolean isNamePart(char c) {
        return Character.isLetterOrDigit(c) || c == '_' || c == '$';
    }
}
