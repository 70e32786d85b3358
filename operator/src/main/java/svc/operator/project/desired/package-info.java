/** The desired Kubernetes objects of a project. Pure: no client, no clock, no random. */
package svc.operator.project.desired;
