/** How often SQL may be sent to one project, counted over all instances. */
package svc.api.management.query.limit;
