package svc.server.gateway;

import java.util.List;
import svc.auth.AuthDescriptor;
import svc.functions.FunctionsDescriptor;
import svc.graphql.GraphqlDescriptor;
import svc.platform.dataplane.ServiceDirectory;
import svc.realtime.RealtimeDescriptor;
import svc.rest.RestDescriptor;
import svc.storage.StorageDescriptor;

/** The services of the whole api-server. */
final class Services {
    private Services() {}

    static ServiceDirectory all() {
        return new ServiceDirectory(List.of(
                new RestDescriptor(),
                new AuthDescriptor(),
                new StorageDescriptor(),
                new RealtimeDescriptor(),
                new GraphqlDescriptor(),
                new FunctionsDescriptor()));
    }
}
