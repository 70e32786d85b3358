/** The commands of the S3 protocol, over the same rows, policies and bytes as storage-api's routes. */
package svc.storage.s3.command;
