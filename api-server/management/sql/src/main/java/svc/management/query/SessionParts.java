package svc.management.query;

import svc.management.audit.SqlAudit;
import svc.platform.projectlog.ProjectLog;
import svc.postgres.script.OwnerSessions;

/** What the transactions of clients with a connection have in common. */
record SessionParts(
        SqlCalls calls,
        SqlAudit audit,
        OwnerSessions sessions,
        DescribeCalls descriptions,
        AuthPreparation authPreparation,
        QueryConfig config,
        ProjectLog log) {}
