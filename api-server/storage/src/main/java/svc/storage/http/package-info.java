/** Requests, answers and errors of the service, in the words of Supabase's storage-api. */
package svc.storage.http;
