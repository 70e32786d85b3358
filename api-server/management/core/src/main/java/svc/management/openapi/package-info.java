/** What the OpenAPI document says of all calls alike. */
package svc.management.openapi;
