/** Organisations: whose tokens reach which projects. */
package svc.management.organization;
