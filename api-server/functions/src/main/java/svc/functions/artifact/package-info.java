/** Archives of functions, stored in S3 by content hash and immutable. */
package svc.functions.artifact;
