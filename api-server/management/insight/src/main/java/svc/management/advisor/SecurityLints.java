package svc.management.advisor;

import com.google.re2j.Pattern;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import svc.management.introspection.ProjectFacts;
import svc.management.introspection.ProjectFacts.Column;
import svc.management.introspection.ProjectFacts.Constraint;
import svc.management.introspection.ProjectFacts.Extension;
import svc.management.introspection.ProjectFacts.Namespace;
import svc.management.introspection.ProjectFacts.Policy;
import svc.management.introspection.ProjectFacts.Relation;
import svc.management.introspection.ProjectFacts.Routine;

/** The security advisor over the facts of one project. Pure. */
final class SecurityLints {
    private static final Pattern SENSITIVE = Pattern.compile(
            "(^|_)(password|passwd|pwd|secret|api_?key|access_?token|refresh_?token|private_?key|ssn|social_security"
                    + "|credit_?card|card_number|cvv|cvc|iban|passport(_number)?|tax_id|date_of_birth|otp|pin_code)($|_)");
    private static final Pattern ALWAYS_TRUE = Pattern.compile("\\(*\\s*true\\s*\\)*");
    private static final Pattern BUCKET_ONLY = Pattern.compile("\\(*\\s*bucket_id\\s*=\\s*'[^']*'(::text)?\\s*\\)*");
    private static final Set<String> REG_TYPES = Set.of(
            "regcollation",
            "regconfig",
            "regdictionary",
            "regnamespace",
            "regoper",
            "regoperator",
            "regproc",
            "regprocedure");
    private static final String AUTH = "auth";
    private static final String READ = "r";
    private static final String ALL = "*";

    private final ProjectFacts facts;
    private final OwnObjects own;

    SecurityLints(ProjectFacts facts) {
        this.facts = facts;
        this.own = new OwnObjects(facts);
    }

    Stream<Lint> all() {
        return Stream.of(tables(), policies(), views(), functions(), extensions(), regTypes(), keysToAuth(), listings())
                .flatMap(lints -> lints);
    }

    private Stream<Lint> tables() {
        return own.tables().flatMap(table -> {
            Collection<Policy> policies = own.policiesOf(table);
            boolean reachable = own.isExposed(table) && own.isReadable(table);
            Stream.Builder<Lint> found = Stream.builder();
            if (!table.rowSecurity() && reachable) {
                found.add(subject(table)
                        .lint(
                                LintRule.RLS_DISABLED_IN_PUBLIC,
                                "The table " + name(table) + " is served by the API without row security."));
                List<String> columns = facts.columnsOf(table.oid()).stream()
                        .map(Column::name)
                        .filter(column -> SENSITIVE
                                .matcher(column.toLowerCase(Locale.ROOT))
                                .find())
                        .toList();
                if (!columns.isEmpty()) {
                    found.add(subject(table)
                            .with("sensitive_columns", columns)
                            .lint(
                                    LintRule.SENSITIVE_COLUMNS_EXPOSED,
                                    "The table " + name(table) + " is open to callers with the columns "
                                            + String.join(", ", columns) + "."));
                }
            }
            if (!table.rowSecurity() && !policies.isEmpty()) {
                found.add(subject(table)
                        .with("policies", policies.stream().map(Policy::name).toList())
                        .lint(
                                LintRule.POLICY_EXISTS_RLS_DISABLED,
                                "The table " + name(table) + " has policies, which do not apply."));
            }
            if (table.rowSecurity() && policies.isEmpty()) {
                found.add(subject(table)
                        .lint(
                                LintRule.RLS_ENABLED_NO_POLICY,
                                "The table " + name(table) + " has row security and no policy."));
            }
            return found.build();
        });
    }

    private Stream<Lint> policies() {
        return own.tables()
                .flatMap(table -> own.policiesOf(table).stream().flatMap(policy -> {
                    Stream.Builder<Lint> found = Stream.builder();
                    if (policy.permissive() && own.isForCallers(policy) && allowsEveryChange(policy)) {
                        found.add(policyLint(
                                LintRule.RLS_POLICY_ALWAYS_TRUE, table, policy, "lets callers change any row"));
                    }
                    if (policy.expressions().anyMatch(text -> text.contains("user_metadata"))) {
                        found.add(policyLint(
                                LintRule.RLS_REFERENCES_USER_METADATA, table, policy, "reads user_metadata"));
                    }
                    return found.build();
                }));
    }

    private static boolean allowsEveryChange(Policy policy) {
        return switch (policy.command()) {
            case READ -> false;
            case "a" -> policy.check().filter(SecurityLints::isTrue).isPresent();
            case "d" -> policy.using().filter(SecurityLints::isTrue).isPresent();
            // Without WITH CHECK the condition of USING counts for new rows too.
            default ->
                policy.using().filter(SecurityLints::isTrue).isPresent()
                        && policy.check().map(SecurityLints::isTrue).orElse(true);
        };
    }

    private static boolean isTrue(String expression) {
        return ALWAYS_TRUE.matcher(expression).matches();
    }

    private Lint policyLint(LintRule rule, Relation table, Policy policy, String what) {
        return subject(table)
                .at("policy", policy.name())
                .lint(rule, "The policy \"" + policy.name() + "\" of " + name(table) + " " + what + ".");
    }

    private Stream<Lint> views() {
        return own.relations()
                .filter(relation -> own.isExposed(relation) && own.isReadable(relation))
                .flatMap(relation -> {
                    Stream.Builder<Lint> found = Stream.builder();
                    if (relation.kind().equals("v") && !isInvoker(relation)) {
                        found.add(subject(relation)
                                .lint(
                                        LintRule.SECURITY_DEFINER_VIEW,
                                        "The view " + name(relation) + " runs with its owner's rights."));
                    }
                    if (relation.isView()
                            && !(relation.kind().equals("v") && isInvoker(relation))
                            && showsUsers(relation)) {
                        found.add(subject(relation)
                                .lint(
                                        LintRule.AUTH_USERS_EXPOSED,
                                        "The view " + name(relation) + " reads auth.users, and callers can read it."));
                    }
                    if (relation.kind().equals("m")) {
                        found.add(subject(relation)
                                .lint(
                                        LintRule.MATERIALIZED_VIEW_IN_API,
                                        "Callers can read the materialized view " + name(relation) + "."));
                    }
                    if (relation.kind().equals("f")) {
                        found.add(subject(relation)
                                .lint(
                                        LintRule.FOREIGN_TABLE_IN_API,
                                        "Callers can read the foreign table " + name(relation) + "."));
                    }
                    return found.build();
                });
    }

    private static boolean isInvoker(Relation view) {
        return view.options().stream()
                .map(option -> option.toLowerCase(Locale.ROOT))
                .anyMatch(option -> Set.of(
                                "security_invoker=true",
                                "security_invoker=on",
                                "security_invoker=yes",
                                "security_invoker=1")
                        .contains(option));
    }

    private boolean showsUsers(Relation view) {
        return facts.viewSources().getOrDefault(view.oid(), Set.of()).stream()
                .map(source -> facts.relations().get(source))
                .anyMatch(source -> source != null
                        && source.name().equals("users")
                        && facts.schemaOf(source).equals(AUTH));
    }

    private Stream<Lint> functions() {
        return own.routines().flatMap(routine -> {
            String schema = facts.namespaces().get(routine.namespace()).name();
            Stream.Builder<Lint> found = Stream.builder();
            if (routine.settings().stream().noneMatch(setting -> setting.startsWith("search_path="))) {
                found.add(function(LintRule.FUNCTION_SEARCH_PATH_MUTABLE, schema, routine, "has no fixed search_path"));
            }
            if (routine.definer() && facts.isExposed(routine.namespace()) && !own.isTrigger(routine)) {
                Namespace namespace = facts.namespaces().get(routine.namespace());
                if (routine.anon() && namespace.anon()) {
                    found.add(function(
                            LintRule.ANON_SECURITY_DEFINER_FUNCTION_EXECUTABLE,
                            schema,
                            routine,
                            "runs with its owner's rights for anyone"));
                }
                if (routine.authenticated() && namespace.authenticated()) {
                    found.add(function(
                            LintRule.AUTHENTICATED_SECURITY_DEFINER_FUNCTION_EXECUTABLE,
                            schema,
                            routine,
                            "runs with its owner's rights for every signed-in user"));
                }
            }
            return found.build();
        });
    }

    private Lint function(LintRule rule, String schema, Routine routine, String what) {
        // Overloads have one name: their parameters tell them apart.
        String parameters =
                String.join(",", routine.types().stream().map(own::typeName).toList());
        return Subject.of(schema, routine.name(), "function")
                .at("arguments", parameters)
                .lint(rule, "The function " + schema + "." + routine.name() + "(" + parameters + ") " + what + ".");
    }

    private Stream<Lint> extensions() {
        return facts.extensions().stream().filter(one -> one.schema() != null).flatMap(extension -> {
            Stream.Builder<Lint> found = Stream.builder();
            if (own.isExposedSchema(extension.schema())) {
                found.add(extension(
                        LintRule.EXTENSION_IN_PUBLIC, extension, "lies in the exposed schema " + extension.schema()));
            }
            if (extension.newest() != null && !extension.newest().equals(extension.version())) {
                found.add(extension(
                        LintRule.EXTENSION_VERSIONS_OUTDATED,
                        extension,
                        "has version " + extension.version() + "; the server has " + extension.newest()));
            }
            return found.build();
        });
    }

    private static Lint extension(LintRule rule, Extension extension, String what) {
        return Subject.of(extension.schema(), extension.name(), "extension")
                .lint(rule, "The extension " + extension.name() + " " + what + ".");
    }

    private Stream<Lint> regTypes() {
        return own.tables()
                .flatMap(table -> facts.columnsOf(table.oid()).stream()
                        .filter(column -> REG_TYPES.contains(own.typeName(column.type())))
                        .map(column -> subject(table)
                                .at("column", column.name())
                                .lint(
                                        LintRule.UNSUPPORTED_REG_TYPES,
                                        "The column " + name(table) + "." + column.name() + " has the type "
                                                + own.typeName(column.type()) + ".")));
    }

    private Stream<Lint> keysToAuth() {
        return facts.constraints().stream()
                .filter(key -> key.kind().equals("f") && own.isOwn(key.relation()))
                .filter(key -> {
                    Relation target = facts.relations().get(key.target());
                    return target != null
                            && facts.schemaOf(target).equals(AUTH)
                            && facts.constraints().stream()
                                    .noneMatch(primary -> primary.kind().equals("p")
                                            && primary.relation() == target.oid()
                                            && primary.columns().equals(key.targetColumns()));
                })
                .map(this::keyToAuth);
    }

    private Lint keyToAuth(Constraint key) {
        Relation table = facts.relations().get(key.relation());
        Relation target = facts.relations().get(key.target());
        return subject(table)
                .at("fkey_name", key.name())
                .lint(
                        LintRule.FKEY_TO_AUTH_UNIQUE,
                        "The foreign key " + key.name() + " of " + name(table) + " refers to " + name(target) + " ("
                                + String.join(", ", facts.columnNames(target.oid(), key.targetColumns())) + ").");
    }

    /** Policies of storage.objects that let callers list everything. */
    private Stream<Lint> listings() {
        return facts.relations().values().stream()
                .filter(relation -> relation.name().equals("objects")
                        && facts.schemaOf(relation).equals("storage"))
                .flatMap(objects -> own.policiesOf(objects).stream()
                        .filter(policy -> policy.permissive()
                                && own.isForCallers(policy)
                                && Set.of(READ, ALL).contains(policy.command())
                                && policy.using()
                                        .filter(text -> isTrue(text)
                                                || BUCKET_ONLY.matcher(text).matches())
                                        .isPresent())
                        .map(policy -> policyLint(
                                LintRule.PUBLIC_BUCKET_ALLOWS_LISTING,
                                objects,
                                policy,
                                "lets callers list every file")));
    }

    private Subject subject(Relation relation) {
        return own.subject(relation);
    }

    private String name(Relation relation) {
        return own.name(relation);
    }
}
