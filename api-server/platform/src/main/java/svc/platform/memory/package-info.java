/** The memory that strangers can make the process keep: one budget, and a share of it for each owner. */
package svc.platform.memory;
