package svc.embedded.kubernetes.contract;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.ArrayList;
import java.util.List;

/** The custom resource of these tests. */
@Group("test.svc.platform")
@Version("v1")
public class Gadget extends CustomResource<Gadget.Spec, Gadget.Status> implements Namespaced {
    private static final long serialVersionUID = 1L;

    /** What it shall be. */
    public static class Spec {
        public String ref;
        public Integer size;
    }

    /** What it is. */
    public static class Status {
        public Long observedGeneration;
        public List<Condition> conditions = new ArrayList<>();
    }

    /** One condition. */
    public static class Condition {
        public String type;
        public String status;
        public String reason;
    }
}
