package svc.server.gateway;

/** The target of a request, decided by host and path alone; the project may not exist. */
sealed interface Destination {
    /** The Management API, the status object, the OpenAPI document. */
    record Control(String path) implements Destination {}

    /** Health and metrics, which probes request by the pod's address. */
    record Probe() implements Destination {}

    /**
     * A project's host.
     *
     * @param path without the prefix that path style adds
     */
    record Data(String ref, String path) implements Destination {}

    /** An unknown host, or a plane that this process does not serve. */
    record Nowhere() implements Destination {}
}
