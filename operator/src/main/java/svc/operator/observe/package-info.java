/** What the operator tells about itself: one value per fact, turned into a log line and a metric in one place. */
package svc.operator.observe;
