package svc.crds.generation;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceColumnDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.CustomResource;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What the generator leaves out of a definition: that a spec is required, the keys of lists, the width of integers,
 * bounds on quantities, the order of columns, descriptions of the top level.
 */
final class DefinitionCompletion {

    /** A non-negative amount, as Kubernetes writes them. */
    private static final String QUANTITY = "^[0-9]+(\\.[0-9]+)?(m|k|Ki|M|Mi|G|Gi|T|Ti|P|Pi|E|Ei)?$";

    private static final Map<String, List<String>> LIST_KEYS = Map.of(
            "conditions", List.of("type"),
            "verifyKeys", List.of("name"),
            "providers", List.of("name"),
            "buckets", List.of("name"),
            "webhooks", List.of("name"));

    private DefinitionCompletion() {}

    static CustomResourceDefinition complete(
            CustomResourceDefinition definition, Class<? extends CustomResource<?, ?>> kind) {
        for (CustomResourceDefinitionVersion version : definition.getSpec().getVersions()) {
            JSONSchemaProps root = version.getSchema().getOpenAPIV3Schema();
            root.setRequired(List.of("spec"));
            describe(root, kind);
            root.getProperties().values().forEach(DefinitionCompletion::complete);
            version.getAdditionalPrinterColumns()
                    .sort(Comparator.comparingInt(column -> declaredPosition(kind, column)));
        }
        return definition;
    }

    private static void complete(JSONSchemaProps schema) {
        if ("integer".equals(schema.getType())) {
            boolean fitsInt = schema.getMaximum() != null && schema.getMaximum() <= Integer.MAX_VALUE;
            schema.setFormat(fitsInt ? "int32" : "int64");
        }
        if (Boolean.TRUE.equals(schema.getXKubernetesIntOrString())) {
            schema.setPattern(QUANTITY);
            schema.setMaxLength(32L);
        }
        if ("object".equals(schema.getType()) && schema.getDefault() != null) {
            // The generator writes out what the defaults of the fields already say. An API server judges a default by
            // the
            // rules on its object as it stands there, without the defaults of the fields.
            schema.setDefault(
                    schema.getXKubernetesValidations().isEmpty()
                            ? JsonNodeFactory.instance.objectNode()
                            : defaultsOfFields(schema));
        }
        schema.getProperties().forEach((name, property) -> {
            if ("array".equals(property.getType())) {
                List<String> keys = LIST_KEYS.get(name);
                property.setXKubernetesListType(keys == null ? "atomic" : "map");
                property.setXKubernetesListMapKeys(keys == null ? List.of() : keys);
                if (keys != null) {
                    require(property.getItems().getSchema(), keys);
                }
            }
            complete(property);
        });
        if (schema.getItems() != null) {
            complete(schema.getItems().getSchema());
        }
        if (schema.getAdditionalProperties() != null) {
            complete(schema.getAdditionalProperties().getSchema());
        }
    }

    private static ObjectNode defaultsOfFields(JSONSchemaProps schema) {
        ObjectNode defaults = JsonNodeFactory.instance.objectNode();
        schema.getProperties().forEach((name, property) -> {
            if (property.getDefault() != null) {
                defaults.set(name, property.getDefault());
            }
        });
        return defaults;
    }

    private static void require(JSONSchemaProps item, List<String> keys) {
        Set<String> required = new TreeSet<>(item.getRequired());
        required.addAll(keys);
        item.setRequired(List.copyOf(required));
    }

    private static void describe(JSONSchemaProps root, Class<? extends CustomResource<?, ?>> kind) {
        Type[] specAndStatus = ((ParameterizedType) kind.getGenericSuperclass()).getActualTypeArguments();
        root.setDescription(description(kind));
        root.getProperties().get("spec").setDescription(description((Class<?>) specAndStatus[0]));
        root.getProperties().get("status").setDescription(description((Class<?>) specAndStatus[1]));
    }

    private static String description(Class<?> type) {
        return type.getAnnotation(JsonClassDescription.class).value();
    }

    private static int declaredPosition(Class<?> kind, CustomResourceColumnDefinition column) {
        return Arrays.stream(kind.getAnnotationsByType(AdditionalPrinterColumn.class))
                .map(AdditionalPrinterColumn::name)
                .toList()
                .indexOf(column.getName());
    }
}
