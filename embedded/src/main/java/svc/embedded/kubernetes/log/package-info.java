/** The logs of pods: kept by the pod runner, read through {@code …/pods/<name>/log}. */
package svc.embedded.kubernetes.log;
