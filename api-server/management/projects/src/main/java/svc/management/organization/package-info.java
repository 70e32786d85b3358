/** Organisations, which own tokens and projects. */
package svc.management.organization;
