package svc.operator.project.status;

import svc.operator.project.failure.FailureMapper;

/**
 * Reasons of a Project's conditions, beside those of failures ({@link FailureMapper}, {@code FailureReason}). Programs may
 * depend on them: part of the API.
 */
public final class Reasons {
    /** Claimed: this resource holds ref and project id. */
    public static final String CLAIM_HELD = "ClaimHeld";
    /** Claimed: another resource holds one of them. */
    public static final String REF_CONFLICT = "RefConflict";
    /** The other conditions, while the claim is not held. */
    public static final String NOT_CLAIMED = "NotClaimed";
    /** DatabaseReady: the database matches the spec. */
    public static final String PROVISIONED = "Provisioned";
    /** DatabaseReady: the deletion waits. */
    public static final String DELETION_BLOCKED = "DeletionBlocked";
    /** KeysReady: the keys are issued. */
    public static final String KEYS_ISSUED = "KeysIssued";
    /** KeysReady: the Secret exists and has another owner. */
    public static final String SECRET_NOT_OWNED = "SecretNotOwned";
    /** KeysReady: a Secret of spec.auth.jwt.verifyKeys is missing or invalid. */
    public static final String VERIFY_KEY_MISSING = "VerifyKeyMissing";

    /** KeysReady: a Secret of spec.auth or spec.storage.webhooks is missing or invalid. */
    public static final String AUTH_SECRET_MISSING = "AuthSecretMissing";
    /** ReconciliationPaused. */
    public static final String PAUSED = "Paused";
    /** Suspended: spec.suspend is true. */
    public static final String SUSPENDED = "Suspended";

    private Reasons() {}
}
