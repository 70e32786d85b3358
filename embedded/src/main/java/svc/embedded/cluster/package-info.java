/** etcd, kube-apiserver and kube-controller-manager as child processes, for tests and benchmarks. */
package svc.embedded.cluster;
