/** What functions are made of, kept in S3 under the hash of its content: archives never change. */
package svc.functions.artifact;
