/** The Project reconciler. Start with {@link svc.operator.project.ProjectReconciler}. */
package svc.operator.project;
