package svc.management.function;

import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;
import svc.crds.project.Project;
import svc.crds.project.ProjectIdentity;
import svc.management.audit.Actor;
import svc.management.audit.CallResult;
import svc.management.audit.CallResult.Kind;
import svc.management.audit.SqlAudit;
import svc.management.audit.SqlCall;
import svc.management.page.FormFields;
import svc.management.token.Principal;
import svc.management.token.TokenAuthentication;
import svc.platform.dataplane.RequestId;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;
import svc.sqlgate.ScriptSummary;

/**
 * Stores the value that a person entered, with the rights of the person. The link alone stores nothing: its maker may
 * own the project, and lead others to it for their secrets.
 */
@ApplicationScoped
class SecretEntryForms {
    private final TokenAuthentication tokens;
    private final Functions functions;
    private final FunctionSecrets secrets;
    private final SecretEntries entries;
    private final SqlAudit audit;

    SecretEntryForms(
            TokenAuthentication tokens,
            Functions functions,
            FunctionSecrets secrets,
            SecretEntries entries,
            SqlAudit audit) {
        this.tokens = tokens;
        this.functions = functions;
        this.secrets = secrets;
        this.entries = entries;
        this.audit = audit;
    }

    /** @throws ProblemException whose text is for the person; the link stays open */
    void store(SecretEntry entry, FormFields form, RoutingContext context) {
        Principal by = tokens.authenticate(
                "Bearer " + form.optional("token").map(String::strip).orElse(""));
        Project project = functions.project(by, entry.ref());
        if (!ProjectIdentity.of(project).projectId().equals(entry.projectId())) {
            throw Problem.of(ProblemCode.PROJECT_NOT_FOUND, "The project of this link was deleted.")
                    .asException();
        }
        try {
            store(by, project, entry, value(form));
            note(by, entry, context, new CallResult(Kind.COMMITTED, Optional.empty(), Optional.empty()));
        } catch (ProblemException e) {
            note(
                    by,
                    entry,
                    context,
                    CallResult.of(Kind.FAILED, e.problem().code().wire()));
            throw e;
        }
    }

    private void store(Principal by, Project project, SecretEntry entry, String value) {
        SecretEntries.Use use = entries.use(entry)
                .orElseThrow(() -> Problem.of(ProblemCode.FUNCTION_SECRET_EXISTS, "This link was used already.")
                        .asException());
        try {
            secrets.enter(by, project, entry.name(), value, entry.replaces());
        } catch (RuntimeException e) {
            entries.release(use);
            throw e;
        }
        entries.complete(use);
    }

    /** Browsers send CRLF for the end of a line; one at the end comes from copying. */
    private static String value(FormFields form) {
        String entered = form.optional("value").orElse("").replace("\r\n", "\n");
        String value = entered.endsWith("\n") ? entered.substring(0, entered.length() - 1) : entered;
        if (value.isEmpty()) {
            throw Problem.of(ProblemCode.INVALID_BODY, "The value is empty.").asException();
        }
        return value;
    }

    private void note(Principal by, SecretEntry entry, RoutingContext context, CallResult result) {
        audit.note(
                new SqlCall(
                        entry.projectId(),
                        entry.ref(),
                        by.organization(),
                        new Actor.Token(by.tokenId()),
                        RequestId.of(context),
                        Optional.empty(),
                        "enter secret " + entry.name(),
                        Optional.empty()),
                new ScriptSummary(List.of("enter secret " + entry.name()), Optional.empty()),
                result);
    }
}
