/** The advisors: rules over a project's catalog that find what is unsafe or slow. */
package svc.management.advisor;
