/** How often something may be done, counted over all instances. */
package svc.platform.ratelimit;
