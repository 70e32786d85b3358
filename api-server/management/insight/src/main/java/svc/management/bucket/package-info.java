/** {@code /v1/projects/{ref}/storage/buckets}: the buckets of a project's storage service. */
package svc.management.bucket;
