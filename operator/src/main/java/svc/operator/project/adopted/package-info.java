/** Databases that are served as they were found: nothing is made in them, and nothing of them is ever dropped. */
package svc.operator.project.adopted;
