package svc.embedded.kubernetes.store;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * One committed state of an object.
 *
 * @param version its resourceVersion, unique and growing over all objects of the server
 * @param body the tree; shared by all readers, so it must not be changed
 * @param json the same as text, written once for the journal and every answer
 */
@SuppressWarnings("ArrayRecordComponent") // equality of states is never asked; the text is shared, not copied
public record StoredObject(ObjectKey key, long version, ObjectNode body, byte[] json) {}
