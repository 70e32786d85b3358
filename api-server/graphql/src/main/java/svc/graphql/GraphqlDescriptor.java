package svc.graphql;

import jakarta.inject.Singleton;
import svc.platform.dataplane.ServiceDescriptor;

/** {@code /graphql/v1} as the gateway sees it; its words for rejected credentials are the standard ones. */
@Singleton
public final class GraphqlDescriptor implements ServiceDescriptor {
    @Override
    public String service() {
        return "graphql";
    }

    @Override
    public int position() {
        return 5;
    }
}
