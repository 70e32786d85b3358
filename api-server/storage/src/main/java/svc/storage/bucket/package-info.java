/** The endpoints of buckets. */
package svc.storage.bucket;
