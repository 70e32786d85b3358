/** The runner of background work on projects, one for all services of a process. */
package svc.platform.background;
