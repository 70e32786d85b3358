package svc.realtime.sidecar;

/** Where the sidecar of a project runs. @param name of its Deployment and Service */
record Sidecar(String namespace, String name) {}
