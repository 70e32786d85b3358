package svc.bench.operator;

import com.fasterxml.jackson.databind.JsonNode;
import svc.embedded.cluster.AuditedRequests;

/**
 * Requests to the Kubernetes API so far, by their kind.
 *
 * @param leases of the leader election
 * @param watches that have ended: a watch is audited at its end, five to ten minutes after its begin
 * @param others all the rest
 */
record ApiCalls(long leases, long watches, long others) {
    static ApiCalls of(AuditedRequests requests) {
        long leases = 0;
        long watches = 0;
        for (JsonNode event : requests.events()) {
            if (event.at("/objectRef/resource").asText().equals("leases")) {
                leases++;
            } else if (event.path("verb").asText().equals("watch")) {
                watches++;
            }
        }
        return new ApiCalls(leases, watches, requests.events().size() - leases - watches);
    }

    ApiCalls since(ApiCalls before) {
        return new ApiCalls(leases - before.leases, watches - before.watches, others - before.others);
    }
}
