package svc.platform.dataplane;

/**
 * The services that a project's host reserves a prefix for and that are not built yet: the gateway answers 501 for them. A
 * module that implements one brings a {@link ServiceDescriptor} of its own, which takes precedence; remove the constant
 * then.
 */
public enum PlannedService implements ServiceDescriptor {
    REALTIME("realtime", 4) {
        @Override
        public ErrorAnswer answer(CredentialRefusal refusal) {
            return refusal instanceof CredentialRefusal.InvalidToken(TokenFault fault)
                    ? ErrorAnswer.of(401, "InvalidJWTToken", "InvalidJWTToken: " + fault.message())
                    : refusal.standardAnswer();
        }
    };

    private final String segment;
    private final int position;

    PlannedService(String segment, int position) {
        this.segment = segment;
        this.position = position;
    }

    @Override
    public String service() {
        return segment;
    }

    @Override
    public int position() {
        return position;
    }
}
