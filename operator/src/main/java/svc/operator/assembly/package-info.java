/** Wires the operator from its configuration and runs it: Quarkus beans, leader election, shutdown. No package depends on this one. */
package svc.operator.assembly;
