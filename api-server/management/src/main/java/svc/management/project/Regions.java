package svc.management.project;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import java.util.List;

/** The regions of Supabase's Management API: a deployment of this platform is one. Pure. */
public final class Regions {
    private static final String SPECIFIC = "specific";

    private Regions() {}

    /** @param recommendations the same as {@code all} */
    public record View(Choice recommendations, All all) {}

    @JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
    public record Choice(Region smartGroup, List<Region> specific) {}

    @JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
    public record All(List<Region> smartGroup, List<Region> specific) {}

    /** @param provider omitted for a group */
    public record Region(String name, String code, String type, String provider) {}

    static View of(String region) {
        var group = new Region(region, region, "smartGroup", null);
        var own = List.of(new Region(region, region, SPECIFIC, "svc"));
        return new View(new Choice(group, own), new All(List.of(group), own));
    }
}
