/** What the watch has done, as metrics, Events and lines of the projects' logs. */
package svc.operator.watch.report;
