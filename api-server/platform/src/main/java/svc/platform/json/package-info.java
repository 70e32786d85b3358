/** How JSON of strangers is read. */
package svc.platform.json;
