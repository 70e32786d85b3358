package svc.api.rest.response;

import java.util.Map;
import svc.api.rest.plan.Plan;
import svc.api.rest.schema.Table;

/** What the API says about itself. */
public final class Descriptions {
    private Descriptions() {}

    public static Response methods(Table table) {
        return new Response(200, Map.of("Allow", String.join(",", Plan.methods(table))), new byte[0]);
    }
}
