package svc.crds.project;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonIgnore;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.crd.generator.annotation.AdditionalSelectableField;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Categories;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.List;
import svc.crds.Api;
import svc.crds.condition.Condition;
import svc.crds.condition.ConditionTypes;
import svc.crds.condition.Conditions;

/** A managed backend: a schema with its roles, keys and services, or a whole database. */
@JsonClassDescription("A managed backend: a schema with its roles, keys and services, or a whole database.")
@Group(Api.GROUP)
@Version(Api.VERSION)
@ShortNames("proj")
@Categories(Api.CATEGORY)
@AdditionalPrinterColumn(name = "Ref", jsonPath = ".status.ref", type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
        name = "Ready",
        jsonPath = ".status.conditions[?(@.type==\"Ready\")].status",
        type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
        name = "Reason",
        jsonPath = ".status.conditions[?(@.type==\"Ready\")].reason",
        type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
        name = "Age",
        jsonPath = ".metadata.creationTimestamp",
        type = AdditionalPrinterColumn.Type.DATE)
@AdditionalPrinterColumn(
        name = "Name",
        jsonPath = ".spec.name",
        type = AdditionalPrinterColumn.Type.STRING,
        priority = 1)
@AdditionalPrinterColumn(
        name = "Organization",
        jsonPath = ".spec.organization",
        type = AdditionalPrinterColumn.Type.STRING,
        priority = 1)
@AdditionalPrinterColumn(
        name = "Mode",
        jsonPath = ".spec.database.mode",
        type = AdditionalPrinterColumn.Type.STRING,
        priority = 1)
@AdditionalPrinterColumn(
        name = "Database",
        jsonPath = ".status.database.name",
        type = AdditionalPrinterColumn.Type.STRING,
        priority = 1)
@AdditionalPrinterColumn(
        name = "URL",
        jsonPath = ".status.url",
        type = AdditionalPrinterColumn.Type.STRING,
        priority = 1)
@AdditionalPrinterColumn(
        name = "Paused",
        jsonPath = ".spec.paused",
        type = AdditionalPrinterColumn.Type.BOOLEAN,
        priority = 1)
@AdditionalPrinterColumn(
        name = "Suspend",
        jsonPath = ".spec.suspend",
        type = AdditionalPrinterColumn.Type.BOOLEAN,
        priority = 1)
@AdditionalPrinterColumn(
        name = "Message",
        jsonPath = ".status.conditions[?(@.type==\"Ready\")].message",
        type = AdditionalPrinterColumn.Type.STRING,
        priority = 1)
@AdditionalSelectableField(jsonPath = ".status.ref")
@AdditionalSelectableField(jsonPath = ".status.projectId")
@AdditionalSelectableField(jsonPath = ".spec.organization")
@AdditionalSelectableField(jsonPath = ".spec.suspend")
public final class Project extends CustomResource<ProjectSpec, ProjectStatus> implements Namespaced {

    private static final long serialVersionUID = 1L;

    /** The conditions that Ready summarizes, in the order in which they become True. */
    public static final ConditionTypes CONDITIONS =
            ConditionTypes.of(ProjectCondition.CLAIMED, ProjectCondition.DATABASE_READY, ProjectCondition.KEYS_READY);

    /** Whether Ready is True for the current generation of the spec. */
    @JsonIgnore
    public boolean isReady() {
        return Conditions.isReady(
                storedConditions(), observedGeneration(), getMetadata().getGeneration());
    }

    /** Whether Ready is False for the current generation of the spec. */
    @JsonIgnore
    public boolean isFailed() {
        return Conditions.isFailed(
                storedConditions(), observedGeneration(), getMetadata().getGeneration());
    }

    /** The stored conditions, to update for the current generation. */
    public Conditions conditions() {
        Long generation = getMetadata().getGeneration();
        return Conditions.of(CONDITIONS, storedConditions(), generation == null ? 0 : generation);
    }

    /** Null until the object has a spec, and later a status. */
    @Override
    protected ProjectSpec initSpec() {
        return null;
    }

    @Override
    protected ProjectStatus initStatus() {
        return null;
    }

    private List<Condition> storedConditions() {
        return getStatus() == null ? List.of() : getStatus().conditions();
    }

    private Long observedGeneration() {
        return getStatus() == null ? null : getStatus().observedGeneration();
    }
}
