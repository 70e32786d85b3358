/** Maps exceptions to a reason and a message that a condition may show. Pure. */
package svc.operator.project.failure;
