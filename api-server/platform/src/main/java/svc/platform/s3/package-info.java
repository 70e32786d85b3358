/** The platform's bucket, which several services keep things in. */
package svc.platform.s3;
