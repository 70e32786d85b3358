package svc.rest;

import jakarta.inject.Singleton;
import svc.platform.dataplane.ServiceDescriptor;

/** {@code /rest/v1} as the gateway sees it; its words for rejected credentials are the standard ones. */
@Singleton
public final class RestDescriptor implements ServiceDescriptor {
    @Override
    public String service() {
        return "rest";
    }

    @Override
    public int position() {
        return 1;
    }
}
