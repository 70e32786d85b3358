package svc.crds.secret;

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

/** One environment variable of one function, or of all functions, of a project. */
@JsonClassDescription("One environment variable of one function, or of all functions, of a project.")
@Group(Api.GROUP)
@Version(Api.VERSION)
@ShortNames("fsec")
@Categories(Api.CATEGORY)
@AdditionalPrinterColumn(
        name = "Project",
        jsonPath = ".spec.projectRef.name",
        type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(name = "Function", jsonPath = ".spec.functionName", type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(name = "Key", jsonPath = ".spec.key", type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
        name = "Ready",
        jsonPath = ".status.conditions[?(@.type==\"Ready\")].status",
        type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
        name = "Age",
        jsonPath = ".metadata.creationTimestamp",
        type = AdditionalPrinterColumn.Type.DATE)
@AdditionalPrinterColumn(
        name = "Reason",
        jsonPath = ".status.conditions[?(@.type==\"Ready\")].reason",
        type = AdditionalPrinterColumn.Type.STRING,
        priority = 1)
@AdditionalPrinterColumn(
        name = "Message",
        jsonPath = ".status.conditions[?(@.type==\"Ready\")].message",
        type = AdditionalPrinterColumn.Type.STRING,
        priority = 1)
@AdditionalSelectableField(jsonPath = ".spec.projectRef.name")
@AdditionalSelectableField(jsonPath = ".spec.functionName")
public final class FunctionSecret extends CustomResource<FunctionSecretSpec, FunctionSecretStatus>
        implements Namespaced {

    private static final long serialVersionUID = 1L;

    /** The conditions that Ready summarizes, in the order in which they become True. */
    public static final ConditionTypes CONDITIONS =
            ConditionTypes.of(FunctionSecretCondition.VALUE_FOUND, FunctionSecretCondition.APPLIED);

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
    protected FunctionSecretSpec initSpec() {
        return null;
    }

    @Override
    protected FunctionSecretStatus initStatus() {
        return null;
    }

    private List<Condition> storedConditions() {
        return getStatus() == null ? List.of() : getStatus().conditions();
    }

    private Long observedGeneration() {
        return getStatus() == null ? null : getStatus().observedGeneration();
    }
}
