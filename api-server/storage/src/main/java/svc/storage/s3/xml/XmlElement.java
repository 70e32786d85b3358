package svc.storage.s3.xml;

import com.ctc.wstx.api.WstxInputProperties;
import com.ctc.wstx.stax.WstxInputFactory;
import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * An element of a small document. Documents have no DTD and no entities but XML's own five, and are bounded in depth and
 * number of elements; the caller bounds their bytes.
 *
 * @param name without namespace
 * @param text that stands directly in it
 */
public record XmlElement(String name, String text, List<XmlElement> children) {
    private static final int MAX_DEPTH = 8;

    /** Ten thousand parts with their checksums. */
    private static final int MAX_ELEMENTS = 60_000;

    private static final int MAX_TEXT = 64 << 10;
    private static final int MAX_ATTRIBUTES = 8;
    private static final int MAX_ATTRIBUTE = 1024;

    private static final XMLInputFactory FACTORY = factory();

    private static XMLInputFactory factory() {
        var factory = new WstxInputFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_COALESCING, true);
        // A fault is to be found where the parser is asked, not where its text is.
        factory.setProperty(WstxInputProperties.P_LAZY_PARSING, false);
        factory.setProperty(WstxInputProperties.P_MAX_ELEMENT_DEPTH, MAX_DEPTH);
        factory.setProperty(WstxInputProperties.P_MAX_ELEMENT_COUNT, (long) MAX_ELEMENTS);
        factory.setProperty(WstxInputProperties.P_MAX_TEXT_LENGTH, MAX_TEXT);
        factory.setProperty(WstxInputProperties.P_MAX_ATTRIBUTES_PER_ELEMENT, MAX_ATTRIBUTES);
        factory.setProperty(WstxInputProperties.P_MAX_ATTRIBUTE_SIZE, MAX_ATTRIBUTE);
        return factory;
    }

    /**
     * Reads a document.
     *
     * @param root the name of its outermost element
     * @throws S3Error when it is not well-formed, beyond the bounds, or another document
     */
    public static XmlElement read(byte[] document, String root) {
        try {
            XMLStreamReader reader = FACTORY.createXMLStreamReader(new ByteArrayInputStream(document));
            try {
                XmlElement read = read(reader);
                if (!read.name().equals(root)) {
                    throw S3Error.malformedXml("The document must be a " + root + ".");
                }
                return read;
            } finally {
                reader.close();
            }
        } catch (XMLStreamException | IllegalArgumentException e) {
            throw S3Error.malformedXml("The XML you provided was not well-formed or did not validate.");
        }
    }

    private static XmlElement read(XMLStreamReader reader) throws XMLStreamException {
        XmlElement root = null;
        while (reader.hasNext()) {
            int event = reader.next();
            if (event == XMLStreamConstants.DTD || event == XMLStreamConstants.ENTITY_REFERENCE) {
                throw S3Error.malformedXml("A document type declaration is not accepted.");
            }
            if (event == XMLStreamConstants.START_ELEMENT) {
                root = element(reader);
            }
        }
        if (root == null) {
            throw S3Error.malformedXml("The document is empty.");
        }
        return root;
    }

    private static XmlElement element(XMLStreamReader reader) throws XMLStreamException {
        String name = reader.getLocalName();
        var text = new StringBuilder();
        List<XmlElement> children = new ArrayList<>();
        while (true) {
            switch (reader.next()) {
                case XMLStreamConstants.START_ELEMENT -> children.add(element(reader));
                case XMLStreamConstants.END_ELEMENT -> {
                    return new XmlElement(name, text.toString(), children);
                }
                case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> text.append(reader.getText());
                case XMLStreamConstants.ENTITY_REFERENCE -> throw S3Error.malformedXml("Entities are not accepted.");
                default -> {
                    // Comments and processing instructions say nothing.
                }
            }
        }
    }

    /** The text of the first child of that name, without white space around it. */
    public Optional<String> child(String childName) {
        return children.stream()
                .filter(child -> child.name().equals(childName))
                .map(child -> child.text().strip())
                .findFirst();
    }

    /** The text of the first child of that name as it stands. */
    public Optional<String> exactly(String childName) {
        return children.stream()
                .filter(child -> child.name().equals(childName))
                .map(XmlElement::text)
                .findFirst();
    }

    public List<XmlElement> children(String childName) {
        return children.stream().filter(child -> child.name().equals(childName)).toList();
    }
}
