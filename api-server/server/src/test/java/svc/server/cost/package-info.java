/**
 * The cost of every input in bytes and processor time: linear in the bytes received, for each kind of caller. {@link
 * svc.server.cost.CostIsLinearTest} walks the routes; {@link svc.server.cost.Dimension} says what is made longer.
 */
package svc.server.cost;
