package svc.management.postgres;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import svc.platform.budget.Account;
import svc.platform.budget.Budget;
import svc.platform.budget.BudgetMetrics;
import svc.platform.budget.Limit;

/**
 * What clients of the endpoint share: connections before and after they have signed in, statements that run or whose answer is
 * sent, and bytes that sessions keep. An organisation has half of each, so that its projects together leave room for
 * others.
 */
final class EndpointBudgets {
    private final PostgresEndpointConfig config;
    private final Budget unauthenticated;
    private final Budget sessions;
    private final Budget statements;
    private final Budget memory;

    EndpointBudgets(PostgresEndpointConfig config, MeterRegistry metrics) {
        this.config = config;
        this.unauthenticated = new Budget("postgres-sign-ins", half(config.connections()));
        this.sessions = new Budget("postgres-sessions", config.connections());
        this.statements = new Budget("postgres-statements", config.statements());
        this.memory = new Budget("postgres-memory", config.memory());
        List.of(unauthenticated, sessions, statements, memory)
                .forEach(budget -> BudgetMetrics.register(budget, metrics));
    }

    private static long half(long all) {
        return Math.max(1, all / 2);
    }

    /** The connections of an organisation's clients. */
    long sessionsOfOrganization() {
        return half(config.connections());
    }

    /** Connections from a network that have not signed in. */
    Account signIns(String network) {
        return unauthenticated.whole().part(network, new Limit.Fixed(config.perAddress()));
    }

    Account sessions(SignedIn client) {
        return of(sessions, client, config.perProject());
    }

    Account statements(SignedIn client) {
        return of(statements, client, Math.max(1, config.statements() / 4));
    }

    /** Bytes that clients have sent, and that sessions keep. */
    Account memory(SignedIn client) {
        return of(memory, client, Math.max(1, config.memory() / 4));
    }

    private static Account of(Budget budget, SignedIn client, long project) {
        return budget.whole()
                .part(client.organization(), new Limit.Fixed(half(budget.total())))
                .part(client.ref(), new Limit.Fixed(project));
    }
}
