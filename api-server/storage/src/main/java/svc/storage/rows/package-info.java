/** The rows of buckets and files in the project's database. */
package svc.storage.rows;
