/** Names of buckets and files: which are accepted, and how they are compared. */
package svc.storage.name;
