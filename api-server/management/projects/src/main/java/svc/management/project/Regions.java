package svc.management.project;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;

/** The regions of Supabase's Management API: a deployment of this platform is one. Pure. */
public final class Regions {
    private static final String SPECIFIC = "specific";

    private Regions() {}

    /** @param recommendations the same as {@code all} */
    @Schema(name = "RegionsInfo")
    public record View(Choice recommendations, All all) {}

    @JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
    @Schema(name = "RecommendedRegions")
    public record Choice(Region smartGroup, List<Region> specific) {}

    @JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
    @Schema(name = "AvailableRegions")
    public record All(List<Region> smartGroup, List<Region> specific) {}

    /** @param provider omitted for a group */
    public record Region(String name, String code, String type, String provider) {}

    /**
     * A specific region is a demand, which its sender compares with the project: Terraform would report a project elsewhere as
     * a failure after creating it.
     *
     * @param selection {@code region_selection} of Supabase's API, of any type
     * @throws ProblemException 400 for a specific region that is not the deployment's
     */
    static void requireOwn(Object selection, String region) {
        if (selection instanceof Map<?, ?> members
                && SPECIFIC.equals(members.get("type"))
                && !region.equals(members.get("code"))) {
            throw Problem.of(ProblemCode.INVALID_BODY, "This deployment has one region, " + region + ".")
                    .withError("/region_selection/code", "is not " + region)
                    .withHint("GET /v1/projects/available-regions lists it.")
                    .asException();
        }
    }

    static View of(String region) {
        var group = new Region(region, region, "smartGroup", null);
        var own = List.of(new Region(region, region, SPECIFIC, "svc"));
        return new View(new Choice(group, own), new All(List.of(group), own));
    }
}
