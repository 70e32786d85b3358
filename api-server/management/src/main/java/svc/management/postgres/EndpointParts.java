package svc.management.postgres;

import svc.management.query.SessionCalls;
import svc.management.query.SqlAuthorization;

/**
 * What all sessions have in common.
 *
 * @param running places of statements that run, or whose answer is sent, by project
 */
record EndpointParts(
        PostgresEndpointConfig config,
        SqlAuthorization authorization,
        SessionCalls calls,
        HistoryAnswers history,
        Places running,
        MemoryShares memory) {}
