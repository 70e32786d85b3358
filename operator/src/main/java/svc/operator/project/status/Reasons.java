package svc.operator.project.status;

import svc.operator.project.failure.FailureMapper;

/**
 * Reasons of a Project's conditions beside those of failures ({@link FailureMapper}, {@code FailureReason}), one word each
 * that programs may rely on: part of the API.
 */
public final class Reasons {
    /** Claimed: ref and id are this object's. */
    public static final String CLAIM_HELD = "ClaimHeld";
    /** Claimed: another object holds one of them. */
    public static final String REF_CONFLICT = "RefConflict";
    /** The others, while not claimed. */
    public static final String NOT_CLAIMED = "NotClaimed";
    /** DatabaseReady. */
    public static final String PROVISIONED = "Provisioned";
    /** DatabaseReady: the deletion waits. */
    public static final String DELETION_BLOCKED = "DeletionBlocked";
    /** KeysReady. */
    public static final String KEYS_ISSUED = "KeysIssued";
    /** KeysReady: the Secret's name is taken. */
    public static final String SECRET_NOT_OWNED = "SecretNotOwned";
    /** KeysReady: a key that tokens may be signed with is not where the spec says. */
    public static final String VERIFY_KEY_MISSING = "VerifyKeyMissing";

    public static final String AUTH_SECRET_MISSING = "AuthSecretMissing";
    /** ReconciliationPaused. */
    public static final String PAUSED = "Paused";

    private Reasons() {}
}
