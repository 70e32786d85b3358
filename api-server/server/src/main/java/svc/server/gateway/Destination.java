package svc.server.gateway;

/** Where a request is for, judged by its host and path alone; whether the project exists is not asked here. */
sealed interface Destination {
    /** The Management API, the status object, the OpenAPI document. */
    record Control(String path) implements Destination {}

    /** Health and metrics, which probes ask for by the pod's address. */
    record Probe() implements Destination {}

    /**
     * A project's host.
     *
     * @param path without the prefix that path style adds
     */
    record Data(String ref, String path) implements Destination {}

    /** A host that is none of ours, or a plane that this process does not serve. */
    record Nowhere() implements Destination {}
}
