/** Black-box tests and benchmarks against a running platform. */
package svc.e2e;
