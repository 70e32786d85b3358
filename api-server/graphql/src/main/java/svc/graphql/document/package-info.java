/** Documents: parsing, selection of the operation, fragments, directives and variables. */
package svc.graphql.document;
