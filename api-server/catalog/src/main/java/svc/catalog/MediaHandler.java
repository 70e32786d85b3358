package svc.catalog;

import java.util.Optional;

/**
 * An aggregate that renders answers as a media type: what it returns is a domain of that name. A function whose return
 * type is such a domain renders its own answer; its {@link Routine.ReturnType} says so.
 *
 * @param mediaType in lower case; {@code *}{@code /*} for one that takes any
 * @param function what renders
 * @param relation the relation whose rows it takes; empty when it takes any ({@code anyelement})
 * @param type what it returns: a domain over text or bytea
 */
public record MediaHandler(
        String mediaType, QualifiedIdentifier function, Optional<QualifiedIdentifier> relation, DataType type) {}
