/** Projects with a dedicated database, laid out as in a shared one. */
package svc.operator.project.dedicated;
