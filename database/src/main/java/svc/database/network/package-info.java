/** Which addresses a tenant may have the platform connect to. */
package svc.database.network;
