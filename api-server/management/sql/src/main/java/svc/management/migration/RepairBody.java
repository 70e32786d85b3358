package svc.management.migration;

import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import svc.management.json.Body;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;

/**
 * The body of a repair.
 *
 * @param status {@code applied} records the versions, {@code reverted} forgets them
 * @param versions 1 to 500
 */
@Schema(name = "RepairMigrationsBody")
public record RepairBody(
        @Schema(
                required = true,
                enumeration = {"applied", "reverted"})
        String status,

        @Schema(required = true, maxItems = MigrationFolder.MAX_FILES, examples = "[\"20300131120000\"]")
        List<String> versions) {
    private static final String REVERTED = "reverted";

    /** @throws svc.platform.problem.ProblemException 400 with a pointer to the first invalid field */
    static void check(RepairBody body) {
        Body.required(body);
        if (!"applied".equals(Body.required(body.status(), "/status")) && !body.isRevert()) {
            throw Problem.of(ProblemCode.INVALID_BODY, "The field /status may only be applied or reverted.")
                    .withError("/status", "may only be applied or reverted")
                    .asException();
        }
        List<String> versions = Body.required(body.versions(), "/versions");
        if (versions.isEmpty() || versions.size() > MigrationFolder.MAX_FILES) {
            String range = "must have 1 to " + MigrationFolder.MAX_FILES + " elements";
            throw Problem.of(ProblemCode.INVALID_BODY, "The field /versions " + range + ".")
                    .withError("/versions", range)
                    .asException();
        }
        for (int i = 0; i < versions.size(); i++) {
            String pointer = "/versions/" + i;
            MigrationRequest.checkedVersion(Body.required(versions.get(i), pointer), pointer);
        }
    }

    boolean isRevert() {
        return REVERTED.equals(status);
    }
}
