package svc.realtime.message;

/** A join or a token that is refused. The message is the client's, in Supabase's words. */
public final class JoinRefused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public JoinRefused(String reason) {
        super(reason, null, false, false);
    }
}
