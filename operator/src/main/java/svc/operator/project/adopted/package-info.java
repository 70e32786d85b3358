/** Existing databases that the platform serves unchanged: it creates and drops nothing in them. */
package svc.operator.project.adopted;
