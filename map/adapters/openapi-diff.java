import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.util.Map;
import org.openapitools.openapidiff.core.OpenApiCompare;
import org.openapitools.openapidiff.core.model.DiffResult;

/** Compares the two documents of each question in questions.json. */
public class OpenApiDiff {
    static final ObjectMapper mapper = new ObjectMapper();

    public static void main(String[] none) throws Exception {
        for (JsonNode question : mapper.readTree(new File("questions.json"))) {
            DiffResult result;
            try {
                result = OpenApiCompare.fromLocations(question.get("before").asText(), question.get("after").asText()).isChanged();
            } catch (RuntimeException error) {
                answer(Map.of("refusal", "" + error.getMessage()));
                return;
            }
            answer(Map.of("reported", wordsFor(result)));
        }
    }

    static String wordsFor(DiffResult result) {
        if (result.isUnchanged()) return "no change";
        return result.isIncompatible() ? "a breaking change" : "a change";
    }

    static void answer(Object answer) throws Exception {
        System.out.println("answer " + mapper.writeValueAsString(answer));
    }
}
