/** The one policy by which operations are repeated after a failure, or until they give a wanted result. */
package svc.platform.retry;
