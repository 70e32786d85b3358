package svc.catalog;

import java.util.Optional;

/**
 * PostgREST's media type handler: an aggregate that renders rows as a media type and returns a domain of that name. A
 * function whose return type is such a domain renders its own result, see {@link Routine.ReturnType}.
 *
 * @param mediaType in lower case; {@code *}{@code /*} for a handler of any type
 * @param function the aggregate
 * @param relation the relation whose rows it accepts; empty if it accepts all ({@code anyelement})
 * @param type its return type, a domain over text or bytea
 */
public record MediaHandler(
        String mediaType, QualifiedIdentifier function, Optional<QualifiedIdentifier> relation, DataType type) {}
