package svc.auth.mail;

import java.util.Optional;
import svc.auth.mail.MailFailedException.Cause;
import svc.crds.project.auth.SmtpSpec;
import svc.platform.secret.ProjectSecrets;
import svc.platform.tenancy.Tenant;

/** Chooses the server for a project's mails: its own, else the platform's. */
public final class MailServers {
    private static final int TLS_PORT = 465;

    private final ProjectSecrets secrets;
    private final Optional<SmtpServer> platform;

    public MailServers(ProjectSecrets secrets, Optional<SmtpServer> platform) {
        this.secrets = secrets;
        this.platform = platform;
    }

    /** @throws MailFailedException without a server, or without its password */
    SmtpServer of(Tenant tenant) {
        SmtpSpec spec = tenant.auth().smtp();
        if (spec == null) {
            return platform.orElseThrow(() -> new MailFailedException(Cause.NOT_CONFIGURED, null));
        }
        return new SmtpServer(
                spec.host(),
                spec.port(),
                spec.port() == TLS_PORT ? SmtpServer.Security.TLS : SmtpServer.Security.STARTTLS,
                Optional.ofNullable(spec.username()).map(user -> new SmtpServer.Login(user, password(tenant, spec))),
                spec.from(),
                spec.senderName() == null ? "" : spec.senderName(),
                SmtpServer.Chooser.TENANT);
    }

    private String password(Tenant tenant, SmtpSpec spec) {
        return secrets.value(tenant, spec.passwordSecretRef())
                .orElseThrow(() -> new MailFailedException(Cause.NO_PASSWORD, null));
    }
}
