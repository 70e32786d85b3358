/** {@code ./svc up} as it is called: the launcher around the platform, which starts it again when it dies. */
package svc.e2e.supervision;
