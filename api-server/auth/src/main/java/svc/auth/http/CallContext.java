package svc.auth.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Optional;
import java.util.UUID;
import svc.database.name.DatabaseRole;
import svc.platform.clientip.CallerAddress;
import svc.platform.dataplane.Caller;
import svc.platform.json.ForeignJson;
import svc.platform.tenancy.Tenant;

/**
 * The part of a request that every use case needs, whatever its body.
 *
 * @param address of the client, in the text form of IPv4 or IPv6; {@code unknown} if no proxy of ours vouches for one
 * @param acceptLanguage the header; empty without one
 */
public record CallContext(
        Tenant tenant, Caller caller, String address, Optional<String> userAgent, String acceptLanguage) {
    private static final ObjectMapper JSON = ForeignJson.mapper();

    /** Whether the call comes with the service-role key, from the project's own servers. */
    public boolean isService() {
        return caller.role() == DatabaseRole.SERVICE;
    }

    /** What limits and attempts count as one caller, see {@link CallerAddress#network}. */
    public String network() {
        return CallerAddress.network(address);
    }

    public UUID projectId() {
        return tenant.projectId();
    }

    /** The claims of the access token; the gateway has verified it. */
    public JsonNode claims() {
        try {
            return JSON.readTree(caller.claims());
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("verified claims are not JSON", e);
        }
    }
}
