/** Projects in one of the configured shared databases. */
package svc.operator.project.shared;
