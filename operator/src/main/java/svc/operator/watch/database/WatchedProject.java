package svc.operator.watch.database;

/** The resource of a project that the watch has acted on. */
public record WatchedProject(String ref, String namespace, String name) {}
