/** The Project: what a managed backend is to be, what it is, and how it is told from all others. */
package svc.crds.project;
