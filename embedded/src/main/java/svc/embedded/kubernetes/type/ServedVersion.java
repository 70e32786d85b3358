package svc.embedded.kubernetes.type;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.function.Supplier;
import svc.embedded.kubernetes.ownership.MergeSchema;
import svc.embedded.kubernetes.table.TableLayout;

/**
 * One version of a resource.
 *
 * @param status whether status is a subresource: written through {@code /status} only
 * @param schema its OpenAPI schema, as far as it has one
 * @param rules defaults and validation; compiled at the first use, which takes time
 */
public record ServedVersion(
        String name,
        boolean status,
        TableLayout table,
        MergeSchema merge,
        JsonNode schema,
        View view,
        Supplier<ObjectRules> rules) {}
