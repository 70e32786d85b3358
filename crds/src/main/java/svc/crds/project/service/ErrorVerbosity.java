package svc.crds.project.service;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What the body of an error has. */
public enum ErrorVerbosity {
    /** Code, message, details and hint. */
    @JsonProperty("Verbose")
    VERBOSE,
    /** Code and message: details and hints may name columns, keys and similar objects. */
    @JsonProperty("Minimal")
    MINIMAL
}
