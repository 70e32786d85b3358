/** The environment variables of a function that FunctionSecrets set: which Secret sets which variable, and its value. */
package svc.operator.function.variable;
