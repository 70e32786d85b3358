/** Organisations: whose tokens reach which projects. */
package svc.api.management.organization;
