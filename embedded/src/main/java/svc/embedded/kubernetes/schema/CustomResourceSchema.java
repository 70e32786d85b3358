package svc.embedded.kubernetes.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The schema of one version of a CustomResourceDefinition, compiled once: prunes, applies defaults and validates with
 * the effects and the wording of an API server (apiextensions v1: structural schema, ratcheting of unchanged parts,
 * {@code x-kubernetes-validations}).
 *
 * <p>Immutable and safe for use by many threads. An API server calls {@link #prune}, {@link #applyDefaults} and
 * {@link #validate} in this order, with the status it will store already in place.
 */
public final class CustomResourceSchema {

    private static final Violation RULES_NOT_RUN = new Violation(
            Violation.NO_FIELD,
            "Invalid value: \"null\": some validation rules were not checked because the object was invalid; "
                    + "correct the existing errors to complete validation",
            Violation.INVALID);

    private final SchemaNode schema;
    private final RuleNode rules;

    private CustomResourceSchema(SchemaNode schema, RuleNode rules) {
        this.schema = schema;
        this.rules = rules;
    }

    /**
     * @param definition a CustomResourceDefinition of apiextensions.k8s.io/v1
     * @param version the name of the version, such as {@code v1alpha1}
     * @throws InvalidSchemaException if a pattern or a rule does not compile
     * @throws IllegalArgumentException if the definition has no such version
     */
    public static CustomResourceSchema of(JsonNode definition, String version) {
        String kind = definition.at("/spec/names/kind").asText("Object");
        for (JsonNode candidate : definition.at("/spec/versions")) {
            if (candidate.path("name").asText().equals(version)) {
                JsonNode openApi = candidate.at("/schema/openAPIV3Schema");
                SchemaNode schema = SchemaCompiler.compileResource(
                        openApi.isObject() ? openApi : JsonNodeFactory.instance.objectNode());
                return new CustomResourceSchema(schema, RuleCompiler.compile(schema, kind));
            }
        }
        throw new IllegalArgumentException("the definition of " + kind + " has no version " + version);
    }

    /**
     * The reasons to reject the schemas of a definition that compiles; empty if it is valid.
     *
     * @param definition one that {@link #of} accepts
     */
    public static List<Violation> faultsOf(JsonNode definition) {
        List<Violation> faults = new ArrayList<>();
        definition
                .at("/spec/versions")
                .forEach(version -> faults.addAll(SchemaFaults.of(version.at("/schema/openAPIV3Schema"))));
        return List.copyOf(faults);
    }

    /** Like {@link #of(JsonNode, String)}, from the client's model. */
    public static CustomResourceSchema of(CustomResourceDefinition definition, String version) {
        return of(new KubernetesSerialization().convertValue(definition, JsonNode.class), version);
    }

    /** A copy of the object without the fields the schema does not know. Type and object metadata are kept. */
    public JsonNode prune(JsonNode object) {
        JsonNode pruned = object.deepCopy();
        Pruning.prune(schema, pruned, "", new ArrayList<>());
        return pruned;
    }

    /**
     * The paths of the fields that {@link #prune} would remove, such as {@code spec.nmae}: what strict field validation
     * ({@code fieldValidation=Strict}, kubectl's default) refuses.
     */
    public List<String> unknownFields(JsonNode object) {
        List<String> unknown = new ArrayList<>();
        Pruning.prune(schema, object.deepCopy(), "", unknown);
        return List.copyOf(unknown);
    }

    /** A copy of the object with the schema's defaults where fields are absent. */
    public JsonNode applyDefaults(JsonNode object) {
        JsonNode completed = object.deepCopy();
        Defaulting.apply(schema, completed);
        return completed;
    }

    /**
     * @param object the object to store, pruned and with defaults
     * @param old the stored object when this is an update; parts equal to it are not validated again
     * @return the violations, in the order of the object's fields; empty if it is valid
     */
    public List<Violation> validate(JsonNode object, Optional<JsonNode> old) {
        List<Violation> found = new ArrayList<>();
        StructuralValidation.visit(schema, object, old, "", found);
        if (rules.isBare()) {
            return List.copyOf(found);
        }
        if (found.stream().anyMatch(Violation::blocksRules)) {
            found.add(RULES_NOT_RUN);
            return List.copyOf(found);
        }
        RuleWalk.visit(rules, CelValues.of(schema, object), old.map(stored -> CelValues.of(schema, stored)), "", found);
        return List.copyOf(found);
    }
}
