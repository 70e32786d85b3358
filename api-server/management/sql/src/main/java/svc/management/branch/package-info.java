/** Branches: projects with the migrations of the project that they branched from. */
package svc.management.branch;
