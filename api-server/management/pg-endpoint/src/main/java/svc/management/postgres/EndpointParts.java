package svc.management.postgres;

import svc.management.query.SessionCalls;
import svc.management.query.SqlAuthorization;

/** What all sessions have in common. */
record EndpointParts(
        PostgresEndpointConfig config,
        SqlAuthorization authorization,
        SessionCalls calls,
        HistoryAnswers history,
        EndpointBudgets budgets,
        StatementRates rates) {}
