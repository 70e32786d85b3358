/** A platform for tests: real PostgreSQL, a real Kubernetes API, and what the operator would do to a Project's status. */
package svc.api.testing;
