package svc.storage.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.storage.content.ContentKey;
import svc.storage.image.transform.Transform;

/** Parameters have storage-api's names, limits, messages and headers. */
class TransformTest {
    private static Transform query(String query) {
        var all = new QueryStringDecoder("?" + query).parameters();
        return Transform.of(name -> Optional.ofNullable(all.get(name)).map(List::getFirst));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "width=100 | width:100,resizing_type:fill",
                "height=5&width=100&resize=contain | height:5,width:100,resizing_type:fit",
                "width=9&resize=fill&quality=20&format=avif | width:9,resizing_type:force,quality:20,format:avif",
                "width=2001 | width:2000,resizing_type:fill",
                "quality=100&format=origin | quality:100",
                "width=1&height=1&gravity=fp&x_offset=0.5&y_offset=1 | height:1,width:1,resizing_type:fill,gravity:fp:0.5:1",
                "width=0 | ''"
            })
    void theHeaderSaysWhatIsDone(String query, String header) {
        assertThat(query(query).header()).isEqualTo(header);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "width=a | querystring/width must be integer",
                "width=1.5 | querystring/width must be integer",
                "height=99999999999999999999 | querystring/height must be integer",
                "width=-1 | querystring/width must be >= 0",
                "quality=19 | querystring/quality must be >= 20",
                "quality=101 | querystring/quality must be <= 100",
                "resize=crop | querystring/resize must be equal to one of the allowed values",
                "format=jpeg | querystring/format must be equal to one of the allowed values",
                "gravity=up | querystring/gravity must be equal to one of the allowed values",
                "x_offset=NaN | querystring/x_offset must be number",
                "gravity=fp&x_offset=2&y_offset=0 | querystring/gravity fp requires x_offset and y_offset from 0 to 1"
            })
    void whatIsWrongIsNamed(String query, String message) {
        assertThatThrownBy(() -> query(query)).hasMessage(message);
    }

    @ParameterizedTest
    @CsvSource({
        "width=7",
        "width=7&height=8&resize=cover&quality=50&format=origin",
        "format=webp&gravity=noea&x_offset=-3&y_offset=0.25",
        "width=7&gravity=sm"
    })
    void theTextOfAUrlSaysTheSame(String query) {
        Transform wanted = query(query);
        assertThat(Transform.parse(wanted.text())).isEqualTo(wanted);
    }

    @Test
    void aBodyMayAskForNothing() throws Exception {
        var json = new ObjectMapper();
        assertThat(Transform.of(json.readTree("{}"))).isEmpty();
        assertThat(Transform.of(json.readTree("{\"width\":0}"))).isEmpty();
        assertThat(Transform.of(json.readTree("{\"width\":10,\"resize\":\"fill\"}")))
                .contains(query("width=10&resize=fill"));
        assertThatThrownBy(() -> Transform.of(json.readTree("{\"width\":[1]}")))
                .hasMessage("body/transform/width must be integer");
        assertThatThrownBy(() -> Transform.of(json.readTree("[]"))).hasMessage("body/transform must be object");
    }

    @Test
    void eachWishHasAKeyOfItsOwnBelowItsProject() {
        var content = ContentKey.fresh(UUID.randomUUID());
        RenderKey key = RenderKey.of(content, query("width=10"), "webp");
        assertThat(key.text()).startsWith(content.projectId() + "/storage-renders/" + content.version() + "/");
        assertThat(RenderKey.contentOf(content.projectId(), key.text())).contains(content);
        assertThat(RenderKey.contentOf(UUID.randomUUID(), key.text())).isEmpty();
        assertThat(RenderKey.of(content, query("width=10&quality=80&resize=cover"), "webp"))
                .isEqualTo(key);
        assertThat(List.of("width=11", "height=10", "width=10&quality=79", "width=10&gravity=no"))
                .noneMatch(other -> RenderKey.of(content, query(other), "webp").equals(key));
        assertThat(RenderKey.of(content, query("width=10"), "origin")).isNotEqualTo(key);
    }
}
