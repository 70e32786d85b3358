/** What the catalog says of one project: read once, as its owner, for types and advisors. */
package svc.management.introspection;
