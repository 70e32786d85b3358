package svc.postgres.pool;

/** Waits for a connection of a {@link SharedPool}, and may be taken along by one who has got one for the same login. */
public interface BatchableRequest {}
