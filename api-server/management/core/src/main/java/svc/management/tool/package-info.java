/** What a tool of the MCP server is; the packages of the services implement the tools. */
package svc.management.tool;
