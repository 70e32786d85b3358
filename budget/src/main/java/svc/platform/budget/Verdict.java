package svc.platform.budget;

/** The decision on a demand. */
public enum Verdict {
    GRANTED,
    /** The account holds its share; the owner may try again later. */
    BUSY,
    /** More than the account can ever hold: it will not be granted later either. */
    TOO_LARGE
}
