package svc.extensions.net;

import svc.extensions.share.Places;
import svc.platform.budget.Account;
import svc.platform.budget.Budget;
import svc.platform.budget.Limit;
import svc.platform.budget.Permit;
import svc.platform.tenancy.Tenant;

/** What the requests of all databases of a process may take of it: places, and memory until their responses are written. */
public final class RequestLimits {
    /** Requests of one project that are under way at once; fewer than it may have calls, which other services make too. */
    static final int OF_PROJECT = 16;

    /** The same of all projects: half of the calls of a process. */
    static final int OF_PROCESS = 256;

    /** Bytes of requests and of answers that wait to be written. */
    static final long BYTES = 64L << 20;

    private final Places places = new Places("database-requests", OF_PROCESS, OF_PROJECT);
    private final Budget memory = new Budget("database-request-bytes", BYTES);

    Places places() {
        return places;
    }

    /** Holds the bytes of one request. The caller closes it. */
    Permit bytes(Tenant tenant) {
        Account organization = memory.whole().part(tenant.organization(), Limit.LARGE_SHARE);
        return organization.part(tenant.ref(), Limit.SHARE).open();
    }

    /** Whether answers take so much that no more should be asked for. */
    boolean tight() {
        return memory.held() > BYTES / 2;
    }
}
