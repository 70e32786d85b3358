/** The one way out to addresses that a tenant chose (DESIGN, tenancy, rule 9). */
package svc.platform.egress;
