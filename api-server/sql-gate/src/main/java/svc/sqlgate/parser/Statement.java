package svc.sqlgate.parser;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * One statement of a script as PostgreSQL's grammar read it.
 *
 * @param number 1 for the first of the script
 * @param kind the grammar's name of its node, {@code SelectStmt}, {@code CreateStmt}, …
 * @param tree the content of that node
 * @param location where its first token begins in the script, in UTF-16 units
 * @param length from there to its end, without the semicolon
 * @param text that part of the script
 */
public record Statement(int number, String kind, JsonNode tree, int location, int length, String text) {}
