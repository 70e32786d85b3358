/** The custom resources: Java model, generated YAML, conditions. Imports nothing of ours. */
package svc.crds;
