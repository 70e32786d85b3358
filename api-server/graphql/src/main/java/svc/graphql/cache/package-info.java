/** A cache that projects share without taking each other's part. */
package svc.graphql.cache;
