/** The Project: desired state, observed state and identity of a managed backend. */
package svc.crds.project;
