package svc.embedded.kubernetes.schema;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOptions;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.extensions.CelExtensions;
import dev.cel.extensions.CelOptionalLibrary;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Compiles the rules of a definition against the types of its schema. */
final class RuleCompiler {

    private static final CelOptions OPTIONS = CelOptions.current()
            .enableTimestampEpoch(true)
            .enableHeterogeneousNumericComparisons(true)
            .build();
    private static final String SUM = "list_int_sum";

    /** Of the lists library that Kubernetes adds to CEL. */
    private static final CelFunctionDecl SUM_OF_LIST = CelFunctionDecl.newFunctionDeclaration(
            "sum", CelOverloadDecl.newMemberOverload(SUM, SimpleType.INT, ListType.create(SimpleType.INT)));

    private static final CelRuntime RUNTIME = CelRuntimeFactory.standardCelRuntimeBuilder()
            .setOptions(OPTIONS)
            .addLibraries(CelExtensions.strings(), CelOptionalLibrary.INSTANCE)
            .addFunctionBindings(CelRuntime.CelFunctionBinding.from(SUM, List.class, RuleCompiler::sum))
            .build();

    private final CelTypes types = new CelTypes();

    private RuleCompiler() {}

    /**
     * @param kind names the types in compile errors
     * @throws InvalidSchemaException for a rule that does not compile; an API server refuses such a definition
     */
    static RuleNode compile(SchemaNode resource, String kind) {
        return new RuleCompiler().node(resource, kind);
    }

    private RuleNode node(SchemaNode schema, String name) {
        Map<String, RuleNode> properties = new LinkedHashMap<>();
        schema.properties().forEach((field, declared) -> {
            RuleNode below = node(declared, name + "." + field);
            if (!below.isBare()) {
                properties.put(field, below);
            }
        });
        List<Rule> rules = new ArrayList<>();
        for (JsonNode declaration : schema.rules()) {
            rules.add(rule(declaration, types.typeOf(schema, name), name));
        }
        return new RuleNode(
                schema,
                List.copyOf(rules),
                properties,
                schema.values().map(values -> node(values, name + ".@values")).filter(below -> !below.isBare()),
                schema.items().map(items -> node(items, name + ".@items")).filter(below -> !below.isBare()));
    }

    private Rule rule(JsonNode declaration, CelType self, String name) {
        boolean optionalOldSelf = declaration.path("optionalOldSelf").asBoolean();
        CelCompiler compiler = CelCompilerFactory.standardCelCompilerBuilder()
                .setOptions(OPTIONS)
                .setTypeProvider(types.provider())
                .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
                .addLibraries(CelExtensions.strings(), CelOptionalLibrary.INSTANCE)
                .addFunctionDeclarations(SUM_OF_LIST)
                .addVar("self", self)
                .addVar("oldSelf", optionalOldSelf ? OptionalType.create(self) : self)
                .build();
        String source = declaration.path("rule").asText();
        String messageSource = declaration.path("messageExpression").asText("");
        try {
            CelAbstractSyntaxTree tree = checked(compiler, source, SimpleType.BOOL);
            boolean readsOldSelf = tree.getReferenceMap().values().stream()
                    .anyMatch(reference -> reference.name().equals("oldSelf"));
            Optional<CelRuntime.Program> messageProgram = messageSource.isEmpty()
                    ? Optional.empty()
                    : Optional.of(RUNTIME.createProgram(checked(compiler, messageSource, SimpleType.STRING)));
            return new Rule(declaration, RUNTIME.createProgram(tree), messageProgram, readsOldSelf, optionalOldSelf);
        } catch (CelValidationException | CelEvaluationException e) {
            throw new InvalidSchemaException(
                    "while compiling the rule '" + source + "' of " + name + ": " + e.getMessage(), e);
        }
    }

    private static long sum(List<?> numbers) {
        return numbers.stream().mapToLong(number -> (Long) number).sum();
    }

    private static CelAbstractSyntaxTree checked(CelCompiler compiler, String source, CelType expected)
            throws CelValidationException {
        CelAbstractSyntaxTree tree = compiler.compile(source).getAst();
        if (!tree.getResultType().equals(expected) && !tree.getResultType().equals(SimpleType.DYN)) {
            String detail = "the expression '" + source + "' must be of type " + expected.name();
            throw new InvalidSchemaException(detail, new IllegalArgumentException(detail));
        }
        return tree;
    }
}
