package svc.crds.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceColumnDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.api.model.apiextensions.v1.SelectableField;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import svc.crds.CrdCatalog;

/** What holds for all of the definitions: names, columns, and that nothing in them is without a bound. */
class DefinitionTest {

    private final CrdCatalog catalog = CrdCatalog.load();

    @Test
    void theKindsAreNamespacedInOneGroupAndCategory() {
        assertThat(catalog.all()).allSatisfy(definition -> {
            assertThat(definition.getSpec().getGroup()).isEqualTo("svc.platform");
            assertThat(definition.getSpec().getScope()).isEqualTo("Namespaced");
            assertThat(definition.getSpec().getNames().getCategories()).containsExactly("svc-platform");
            assertThat(version(definition).getName()).isEqualTo("v1alpha1");
            assertThat(version(definition).getSubresources().getStatus()).isNotNull();
            assertThat(schema(definition).getRequired()).containsExactly("spec");
        });
        assertThat(catalog.all())
                .flatExtracting(definition -> definition.getSpec().getNames().getShortNames())
                .containsExactly("proj", "efn", "fsec");
    }

    @Test
    void columnsStandInTheOrderInWhichPeopleReadThem() {
        assertThat(columns(catalog.project(), 0)).containsExactly("Ref", "Ready", "Reason", "Age");
        assertThat(columns(catalog.project(), 1)).contains("Name", "Database", "URL", "Paused", "Message");
        assertThat(columns(catalog.edgeFunction(), 0)).containsExactly("Project", "Ready", "Reason", "Version", "Age");
        assertThat(columns(catalog.functionSecret(), 0)).containsExactly("Project", "Function", "Key", "Ready", "Age");
    }

    @Test
    void peopleSelectByWhatTheyKnow() {
        assertThat(selectable(catalog.project()))
                .containsExactlyInAnyOrder(".status.ref", ".status.projectId", ".spec.organization", ".spec.suspend");
        assertThat(selectable(catalog.edgeFunction())).containsExactlyInAnyOrder(".spec.projectRef.name", ".spec.name");
        assertThat(selectable(catalog.functionSecret()))
                .containsExactlyInAnyOrder(".spec.projectRef.name", ".spec.functionName");
    }

    private static List<String> selectable(CustomResourceDefinition definition) {
        return version(definition).getSelectableFields().stream()
                .map(SelectableField::getJsonPath)
                .toList();
    }

    @Test
    void everyValueIsBoundedAndDescribed() {
        List<String> faults = new ArrayList<>();
        catalog.all()
                .forEach(definition ->
                        findFaults(definition.getSpec().getNames().getKind(), schema(definition), faults));

        assertThat(faults).isEmpty();
    }

    @Test
    void conditionsAreKeyedByType() {
        assertThat(catalog.all()).allSatisfy(definition -> {
            JSONSchemaProps conditions = schema(definition)
                    .getProperties()
                    .get("status")
                    .getProperties()
                    .get("conditions");
            assertThat(conditions.getXKubernetesListType()).isEqualTo("map");
            assertThat(conditions.getXKubernetesListMapKeys()).containsExactly("type");
        });
    }

    private static void findFaults(String path, JSONSchemaProps schema, List<String> faults) {
        if (Boolean.TRUE.equals(schema.getXKubernetesPreserveUnknownFields())) {
            faults.add(path + " keeps unknown fields");
        }
        if ("string".equals(schema.getType())
                && schema.getMaxLength() == null
                && schema.getFormat() == null
                && schema.getEnum().isEmpty()) {
            faults.add(path + " may have any length");
        }
        if ("array".equals(schema.getType()) && schema.getMaxItems() == null) {
            faults.add(path + " may have any number of items");
        }
        if ("integer".equals(schema.getType()) && (schema.getMinimum() == null || schema.getFormat() == null)) {
            faults.add(path + " has no lower bound or no width");
        }
        schema.getXKubernetesValidations().stream()
                .filter(rule -> rule.getMessage() == null)
                .forEach(rule -> faults.add(path + " has a rule that says nothing: " + rule.getRule()));
        schema.getProperties().forEach((name, property) -> {
            if (property.getDescription() == null) {
                faults.add(path + "." + name + " has no description");
            }
            findFaults(path + "." + name, property, faults);
        });
        if (schema.getItems() != null) {
            findFaults(path + "[]", schema.getItems().getSchema(), faults);
        }
        if (schema.getAdditionalProperties() != null) {
            if (schema.getMaxProperties() == null) {
                faults.add(path + " may have any number of keys");
            }
            findFaults(path + "{}", schema.getAdditionalProperties().getSchema(), faults);
        }
    }

    private static List<String> columns(CustomResourceDefinition definition, int priority) {
        return version(definition).getAdditionalPrinterColumns().stream()
                .filter(column -> column.getPriority() == priority)
                .map(CustomResourceColumnDefinition::getName)
                .toList();
    }

    private static JSONSchemaProps schema(CustomResourceDefinition definition) {
        return version(definition).getSchema().getOpenAPIV3Schema();
    }

    private static CustomResourceDefinitionVersion version(CustomResourceDefinition definition) {
        return definition.getSpec().getVersions().getFirst();
    }
}
