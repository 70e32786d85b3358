/** The access keys of the S3 protocol. */
package svc.management.storage;
