/** What a project should have in Kubernetes. Pure: no client, no clock, no random. */
package svc.operator.project.desired;
