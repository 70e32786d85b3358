/**
 * PostgreSQL clusters that CloudNativePG runs for projects. Its resource is read and written as it is documented, without a
 * model of it: we know a dozen of its fields.
 */
package svc.operator.project.dedicated.cluster;
