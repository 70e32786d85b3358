package svc.management.openapi;

import io.quarkus.smallrye.openapi.OpenApiFilter;
import java.util.Map;
import org.eclipse.microprofile.openapi.OASFilter;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.media.Schema;

/**
 * Says the defaults of members in their descriptions: generators of clients, openapi-typescript among them, take a member
 * with a default for one that is always there, and then require it of a caller.
 */
@OpenApiFilter(OpenApiFilter.RunStage.BUILD)
public class DefaultsInWords implements OASFilter {
    @Override
    public void filterOpenAPI(OpenAPI document) {
        if (document.getComponents() != null && document.getComponents().getSchemas() != null) {
            document.getComponents().getSchemas().values().forEach(DefaultsInWords::describe);
        }
    }

    private static void describe(Schema schema) {
        Map<String, Schema> members = schema.getProperties();
        if (members == null) {
            return;
        }
        members.values().forEach(member -> {
            if (member.getDefaultValue() != null) {
                String said = "Default: " + member.getDefaultValue() + ".";
                String before = member.getDescription();
                member.setDescription(before == null ? said : before + (before.endsWith(".") ? " " : ". ") + said);
                member.setDefaultValue(null);
            }
            describe(member);
        });
    }
}
