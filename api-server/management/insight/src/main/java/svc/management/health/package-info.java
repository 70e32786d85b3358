/** The health of a project's services. */
package svc.management.health;
