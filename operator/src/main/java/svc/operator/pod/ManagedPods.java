package svc.operator.pod;

/**
 * What an installation sets for the pods that the operator makes.
 *
 * @param nameServers to which they may connect
 * @param ceiling of what a tenant asks for
 */
public record ManagedPods(PodSettings settings, NameServers nameServers, ResourceCeiling ceiling) {
    /** Of an installation that sets nothing. */
    public static final ManagedPods DEFAULTS =
            new ManagedPods(PodSettings.DEFAULTS, NameServers.STANDARD, ResourceCeiling.NONE);
}
