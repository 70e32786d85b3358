package svc.storage.s3.xml;

import com.ctc.wstx.api.InvalidCharHandler;
import com.ctc.wstx.api.WstxOutputProperties;
import com.ctc.wstx.stax.WstxOutputFactory;
import java.io.StringWriter;
import java.util.function.Consumer;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** Writes a document of S3's namespace. */
public final class XmlText {
    private static final String NAMESPACE = "http://s3.amazonaws.com/doc/2006-03-01/";
    private static final XMLOutputFactory FACTORY = factory();

    private final XMLStreamWriter writer;

    private XmlText(XMLStreamWriter writer) {
        this.writer = writer;
    }

    private static XMLOutputFactory factory() {
        var factory = new WstxOutputFactory();
        factory.setProperty(XMLOutputFactory.IS_REPAIRING_NAMESPACES, false);
        factory.setProperty(
                WstxOutputProperties.P_OUTPUT_INVALID_CHAR_HANDLER, new InvalidCharHandler.ReplacingHandler('\uFFFD'));
        return factory;
    }

    /** A document of the namespace with this root. */
    public static String document(String root, Consumer<XmlText> content) {
        return write(root, NAMESPACE, content);
    }

    /** A document without a namespace, as errors are. */
    static String bare(String root, Consumer<XmlText> content) {
        return write(root, "", content);
    }

    private static String write(String root, String namespace, Consumer<XmlText> content) {
        var text = new StringWriter();
        try {
            XMLStreamWriter writer = FACTORY.createXMLStreamWriter(text);
            writer.writeStartDocument("UTF-8", "1.0");
            writer.writeStartElement(root);
            if (!namespace.isEmpty()) {
                writer.writeDefaultNamespace(namespace);
            }
            content.accept(new XmlText(writer));
            writer.writeEndElement();
            writer.writeEndDocument();
            writer.close();
            return text.toString();
        } catch (XMLStreamException e) {
            throw new IllegalStateException("while writing XML to memory", e);
        }
    }

    /** An element with text. */
    public XmlText text(String name, String value) {
        try {
            writer.writeStartElement(name);
            writer.writeCharacters(value);
            writer.writeEndElement();
            return this;
        } catch (XMLStreamException e) {
            throw new IllegalStateException("while writing XML to memory", e);
        }
    }

    public XmlText number(String name, long value) {
        return text(name, Long.toString(value));
    }

    /** An element with elements. */
    public XmlText element(String name, Consumer<XmlText> content) {
        try {
            writer.writeStartElement(name);
            content.accept(this);
            writer.writeEndElement();
            return this;
        } catch (XMLStreamException e) {
            throw new IllegalStateException("while writing XML to memory", e);
        }
    }

    /** {@code <Error>}. */
    public static String error(S3Error error, String resource, String requestId) {
        return bare(
                "Error",
                xml -> xml.text("Code", error.code())
                        .text("Message", error.getMessage())
                        .text("Resource", resource)
                        .text("RequestId", requestId));
    }
}
