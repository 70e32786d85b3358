/** What is known of the projects' schemas, and how it is kept true. */
package svc.catalog;
