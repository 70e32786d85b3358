package svc.standalone;

/** The listeners of one machine, in the order of their ports: each has one behind the gateway's. */
enum LocalPort {
    GATEWAY,
    KUBERNETES,
    /** Any other, if it is in use; so are those that follow. */
    MAIL_PAGE,
    GRAPHQL_PAGE,
    POSTGRES;

    /** The last port that the gateway can have. */
    static final int MAX_GATEWAY = 65_535 - (values().length - 1);

    /** @param gateway the gateway's port */
    int behind(int gateway) {
        return gateway + ordinal();
    }
}
