package svc.crds.generation;

import io.fabric8.crdv2.generator.CRDGenerator;
import io.fabric8.crdv2.generator.CRDPostProcessor;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.CustomResource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import svc.crds.function.EdgeFunction;
import svc.crds.project.Project;
import svc.crds.secret.FunctionSecret;

/** The definitions as the Java types say them: generated, then completed by {@link DefinitionCompletion}. */
final class GeneratedDefinitions {

    private static final String HEADER = """
            # Generated from the Java types of this module. Do not edit: change the types, then run
            #   mvn -pl crds -am test -Dtest=CommittedDefinitionsTest -Dsurefire.failIfNoSpecifiedTests=false -Dcrds.write=true
            ---
            """;

    private GeneratedDefinitions() {}

    /** The text of each committed file, by its name. */
    static Map<String, String> files() {
        Map<String, String> files = new TreeMap<>();
        files.put("project.yaml", yaml(Project.class));
        files.put("edgefunction.yaml", yaml(EdgeFunction.class));
        files.put("functionsecret.yaml", yaml(FunctionSecret.class));
        return files;
    }

    private static String yaml(Class<? extends CustomResource<?, ?>> kind) {
        InMemory output = new InMemory();
        new CRDGenerator()
                .customResourceClasses(kind)
                .forCRDVersions("v1")
                .withMinQuotes(true)
                .withPostProcessor(new CRDPostProcessor() {
                    @Override
                    public HasMetadata process(HasMetadata generated, String version) {
                        return DefinitionCompletion.complete((CustomResourceDefinition) generated, kind);
                    }
                })
                .withOutput(output)
                .generate();
        String text = output.onlyText();
        return HEADER + quoted(text.substring(text.indexOf("apiVersion:")));
    }

    /** {@code True} and its like are texts to YAML 1.2, which the generator writes, and booleans to kubectl and Helm. */
    private static String quoted(String yaml) {
        return yaml.replaceAll(
                "(?m)^( *(?:- |[A-Za-z]+: ))((?:Y|N|Yes|No|On|Off|True|False|YES|NO|ON|OFF|TRUE|FALSE|Null|NULL))$",
                "$1\"$2\"");
    }

    private static final class InMemory implements CRDGenerator.CRDOutput<ByteArrayOutputStream> {
        private final Map<String, ByteArrayOutputStream> streams = new LinkedHashMap<>();

        @Override
        public ByteArrayOutputStream outputFor(String name) {
            return streams.computeIfAbsent(name, ignored -> new ByteArrayOutputStream());
        }

        @Override
        public URI crdURI(String name) {
            return Path.of(name).toUri();
        }

        @Override
        public void close() throws IOException {
            for (OutputStream stream : streams.values()) {
                stream.close();
            }
        }

        String onlyText() {
            return streams.values().iterator().next().toString(StandardCharsets.UTF_8);
        }
    }
}
