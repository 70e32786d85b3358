/**
 * The schema cache: the relations, relationships, functions and types of the projects' schemas, and how they are kept up to
 * date.
 */
package svc.catalog;
