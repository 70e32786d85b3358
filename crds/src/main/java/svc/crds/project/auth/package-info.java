/** Settings of the auth service, {@code spec.auth}. */
package svc.crds.project.auth;
