/** The control plane: the SQL endpoint and its gate, migrations, types, logs, MCP. */
package svc.bench.management;
