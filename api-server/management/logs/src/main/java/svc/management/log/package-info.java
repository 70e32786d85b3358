/** The logs of projects: written from all processes' lines, bounded, read, followed and queried. */
package svc.management.log;
