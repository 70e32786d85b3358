/** Single-machine stand-ins: Kubernetes API, PostgreSQL, Redis. Also the test fixtures of every module. */
package svc.embedded;
