package svc.management.mcp;

/** How a client can ask its user while a tool runs. */
enum Elicitation {
    /** By a form of its own. */
    FORM,
    /** By opening a page, whose answers the client does not see. */
    PAGE
}
