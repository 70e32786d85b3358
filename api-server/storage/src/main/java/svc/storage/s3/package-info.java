/** The S3 protocol at {@code /storage/v1/s3}. */
package svc.storage.s3;
