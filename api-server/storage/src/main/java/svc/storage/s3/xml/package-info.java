/** XML of the S3 protocol: documents that clients send, answers and errors. */
package svc.storage.s3.xml;
