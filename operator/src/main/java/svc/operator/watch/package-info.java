/** The watch on servers that carry projects: locks, time, temporary files and maintenance, per project. */
package svc.operator.watch;
