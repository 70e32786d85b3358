/** Jobs of projects: when they run, and the history of their runs. */
package svc.extensions.cron;
