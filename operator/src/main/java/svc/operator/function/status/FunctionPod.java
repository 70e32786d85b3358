package svc.operator.function.status;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.List;

/**
 * A Pod of a function with nothing but what says why it does not start. The operator caches one per process of every
 * function: a whole Pod takes a multiple of the memory. Read only: a write of this class would drop the other fields.
 */
@Group("")
@Version("v1")
@Kind("Pod")
@Plural("pods")
@Singular("pod")
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonDeserialize(using = JsonDeserializer.None.class)
public final class FunctionPod implements HasMetadata, Namespaced {
    private static final long serialVersionUID = 1L;

    private String apiVersion = "v1";
    private ObjectMeta metadata = new ObjectMeta();
    private Status status;

    /** The containers; null until the node reports them. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Status(List<ContainerStatus> containerStatuses) {}

    @Override
    public String getApiVersion() {
        return apiVersion;
    }

    @Override
    public void setApiVersion(String apiVersion) {
        this.apiVersion = apiVersion;
    }

    @Override
    public String getKind() {
        return "Pod";
    }

    @Override
    public ObjectMeta getMetadata() {
        return metadata;
    }

    @Override
    public void setMetadata(ObjectMeta metadata) {
        this.metadata = metadata;
    }

    public Status getStatus() {
        return status;
    }

    public void setStatus(Status status) {
        this.status = status;
    }

    /** The containers; none until the node reports them. */
    List<ContainerStatus> containers() {
        return status == null || status.containerStatuses() == null ? List.of() : status.containerStatuses();
    }
}
