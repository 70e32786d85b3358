package svc.crds.secret;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonIgnore;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
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

/** One environment variable of one function of a project. */
@JsonClassDescription("One environment variable of one function of a project.")
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
public final class FunctionSecret extends CustomResource<FunctionSecretSpec, FunctionSecretStatus>
        implements Namespaced {

    private static final long serialVersionUID = 1L;

    /** What Ready sums up, in the order in which it comes true. */
    public static final ConditionTypes CONDITIONS =
            ConditionTypes.of(FunctionSecretCondition.VALUE_FOUND, FunctionSecretCondition.APPLIED);

    /** Whether the resource is as its present spec wants it: what was last seen is this generation, and it is Ready. */
    @JsonIgnore
    public boolean isReady() {
        return Conditions.isReady(
                storedConditions(), observedGeneration(), getMetadata().getGeneration());
    }

    /** Whether the operator tried to bring about the present spec and could not. */
    @JsonIgnore
    public boolean isFailed() {
        return Conditions.isFailed(
                storedConditions(), observedGeneration(), getMetadata().getGeneration());
    }

    /** The conditions as stored, to go on from at the generation at hand. */
    public Conditions conditions() {
        Long generation = getMetadata().getGeneration();
        return Conditions.of(CONDITIONS, storedConditions(), generation == null ? 0 : generation);
    }

    /** A spec and a status exist when somebody has written them. */
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
