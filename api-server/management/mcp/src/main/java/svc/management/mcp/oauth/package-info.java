/** Sign-in of MCP clients by OAuth 2.1: metadata, registration, consent, tokens. */
package svc.management.mcp.oauth;
