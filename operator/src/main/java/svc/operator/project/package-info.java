/** The Project reconciler: {@link svc.operator.project.ProjectReconciler} is the table of contents. */
package svc.operator.project;
