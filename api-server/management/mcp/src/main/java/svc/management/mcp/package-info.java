/** The MCP server of the control plane: streamable HTTP, stateless, over the services of {@code /v1}. */
package svc.management.mcp;
