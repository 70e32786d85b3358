/** Tokens of MCP clients: each belongs to a personal access token and has its rights or fewer. */
package svc.management.mcp.token;
