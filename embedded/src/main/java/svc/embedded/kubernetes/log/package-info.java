/** The logs of pods: kept by whoever runs the pods, read through {@code …/pods/<name>/log}. */
package svc.embedded.kubernetes.log;
