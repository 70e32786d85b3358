package svc.management.migration;

import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import svc.management.json.Body;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;

/**
 * The body of a call that changes what describes an applied migration. Omitted fields keep their value.
 *
 * @param name display name, 1 to 100 characters
 * @param rollback SQL that undoes it; not run now. An empty text removes it
 */
@Schema(name = "UpdateMigrationBody")
public record MigrationChange(
        @Schema(maxLength = 100, examples = "create todos") String name,
        @Schema(examples = "drop table todos") String rollback) {
    /** @throws svc.platform.problem.ProblemException 400 with a pointer to the first invalid field, or if there is none */
    static void check(MigrationChange body) {
        Body.required(body);
        if (body.name() == null && body.rollback() == null) {
            throw Problem.of(ProblemCode.INVALID_BODY, "The body has neither name nor rollback.")
                    .withError("", "has neither name nor rollback")
                    .asException();
        }
        body.newName();
        body.newRollback();
    }

    Optional<String> newName() {
        return Optional.ofNullable(name).map(MigrationRequest::checkedName);
    }

    Optional<String> newRollback() {
        return Optional.ofNullable(rollback).map(MigrationRequest::checkedRollback);
    }
}
