package svc.platform.budget;

/** The end of a request that waited in line. */
public sealed interface Outcome {
    /** @param permit holds what was asked for; the receiver closes it, or the lifetime that it belongs to does */
    record Granted(Permit permit) implements Outcome {}

    /** The account's share was in use for as long as the request could wait. */
    record Busy() implements Outcome {}

    /** More than the account can ever hold. */
    record TooLarge() implements Outcome {}
}
