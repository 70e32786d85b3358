/**
 * Migrations as agents and users of Supabase write them, each a file under {@code corpus/}, run through the SQL endpoint and
 * judged by what they leave. {@link svc.server.management.query.corpus.CorpusStep} says what a file's comments ask for.
 */
package svc.server.management.query.corpus;
