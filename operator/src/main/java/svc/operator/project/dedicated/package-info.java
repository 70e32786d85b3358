/** Projects that have a database of their own, made and kept in it as in a shared one. */
package svc.operator.project.dedicated;
