package svc.management.project;

import com.fasterxml.jackson.core.JsonProcessingException;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import svc.management.json.StrictJson;
import svc.management.problem.JsonProblem;
import svc.management.tool.Feature;
import svc.management.tool.Parameter;
import svc.management.tool.Parameter.Kind;
import svc.management.tool.Tool;
import svc.management.tool.Tool.Effect;
import svc.management.tool.ToolCall;
import svc.management.tool.ToolGroup;
import svc.management.tool.ToolResult;

/** The tools of the storage service's settings. */
@ApplicationScoped
class StorageConfigTools implements ToolGroup {
    private static final String CONFIG = "config";

    private final Projects projects;

    StorageConfigTools(Projects projects) {
        this.projects = projects;
    }

    @Override
    public List<Tool> tools() {
        return List.of(
                new Tool(
                        "get_storage_config",
                        Feature.STORAGE,
                        "Get storage config",
                        "Gets the settings of the storage service.",
                        Effect.READS,
                        true,
                        List.of(),
                        call -> ToolResult.json(StorageChange.of(projects.get(call.by(), call.project())
                                .getSpec()
                                .storage()))),
                new Tool(
                        "update_storage_config",
                        Feature.STORAGE,
                        "Update storage config",
                        "Changes settings of the storage service: fileSizeLimit in bytes, features.imageTransformation.enabled,"
                                + " features.s3Protocol.enabled, totalSizeLimitMB, egressLimitMB. Others keep their value.",
                        Effect.DESTROYS,
                        true,
                        List.of(Parameter.required(CONFIG, Kind.OBJECT, "The settings to change")),
                        this::update));
    }

    /** What the settings are now. */
    record Changed(boolean success, StorageChange config) {}

    private ToolResult update(ToolCall call) {
        StorageChange change;
        try {
            change = StrictJson.get().treeToValue(call.arguments().get(CONFIG), StorageChange.class);
        } catch (JsonProcessingException e) {
            throw JsonProblem.of(e).asException();
        }
        return ToolResult.json(new Changed(
                true,
                StorageChange.of(projects.change(call.by(), call.project(), ProjectChange.of(change.checked()))
                        .getSpec()
                        .storage())));
    }
}
