/**
 * PostgreSQL clusters that CloudNativePG runs for projects. The operator uses a dozen fields of the Cluster resource, as a
 * generic resource without a model.
 */
package svc.operator.project.dedicated.cluster;
