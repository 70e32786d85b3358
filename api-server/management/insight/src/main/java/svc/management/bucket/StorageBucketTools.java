package svc.management.bucket;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import svc.management.tool.Feature;
import svc.management.tool.Tool;
import svc.management.tool.Tool.Effect;
import svc.management.tool.ToolGroup;
import svc.management.tool.ToolResult;

/** The tool of buckets. */
@ApplicationScoped
class StorageBucketTools implements ToolGroup {
    private static final int MAX_LISTED = 200;

    private final StorageBuckets buckets;

    StorageBucketTools(StorageBuckets buckets) {
        this.buckets = buckets;
    }

    @Override
    public List<Tool> tools() {
        return List.of(new Tool(
                "list_storage_buckets",
                Feature.STORAGE,
                "List storage buckets",
                "Lists the buckets of the project by name, the first " + MAX_LISTED + " at most.",
                Effect.READS,
                true,
                List.of(),
                call -> ToolResult.data(new Page(buckets.list(call.by(), call.project()).stream()
                        .limit(MAX_LISTED)
                        .toList()))));
    }

    /** The list. */
    record Page(List<StorageBucketResource.Bucket> buckets) {}
}
