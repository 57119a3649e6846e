import com.atlassian.oai.validator.OpenApiInteractionValidator;
import com.atlassian.oai.validator.model.Request;
import com.atlassian.oai.validator.model.SimpleRequest;
import com.atlassian.oai.validator.model.SimpleResponse;
import com.atlassian.oai.validator.report.LevelResolverFactory;
import com.atlassian.oai.validator.report.ValidationReport;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.net.URI;
import java.util.Map;
import java.util.stream.Collectors;

/** Asks the validator the questions in questions.json. */
public class SwaggerRequestValidator {
    static final ObjectMapper mapper = new ObjectMapper();

    public static void main(String[] none) throws Exception {
        OpenApiInteractionValidator validator;
        try {
            validator = OpenApiInteractionValidator.createForSpecificationUrl("openapi.yaml")
                // Without it every member that a schema does not describe is refused.
                .withLevelResolver(LevelResolverFactory.withAdditionalPropertiesIgnored())
                .build();
        } catch (OpenApiInteractionValidator.ApiLoadException error) {
            answer(Map.of("refusal", "" + error.getMessage()));
            return;
        }
        for (JsonNode question : mapper.readTree(new File("questions.json"))) answer(judge(validator, question));
    }

    static Object judge(OpenApiInteractionValidator validator, JsonNode question) throws Exception {
        String target = question.get("target").asText();
        if (!target.startsWith("/")) return null;
        var method = Request.Method.valueOf(question.get("method").asText());
        boolean isResponse = question.get("side").asText().equals("response");
        ValidationReport report = isResponse
            ? validator.validateResponse(URI.create(target).getPath(), method, response(question))
            : validator.validateRequest(request(method, target, question));
        for (var message : report.getMessages())
            if (message.getLevel() == ValidationReport.Level.ERROR)
                return Map.of("isAccepted", false, "line", wordsOf(message));
        return Map.of("isAccepted", true);
    }

    /** The cause is often below the first line, or in a message that is nested in this one. */
    static String wordsOf(ValidationReport.Message message) {
        String nested = message.getNestedMessages().stream().map(one -> ": " + wordsOf(one)).collect(Collectors.joining());
        return message.getMessage().strip().replaceAll("\\s+", " ") + nested;
    }

    static SimpleRequest request(Request.Method method, String target, JsonNode question) {
        URI uri = URI.create(target);
        var builder = new SimpleRequest.Builder(method, uri.getRawPath());
        if (uri.getQuery() != null)
            for (String pair : uri.getQuery().split("&")) builder.withQueryParam(pair.split("=")[0], pair.split("=")[1]);
        for (var header : question.get("headers").properties()) builder.withHeader(header.getKey(), header.getValue().asText());
        if (!question.has("body")) return builder.build();
        return builder.withContentType(question.get("contentType").asText()).withBody(question.get("body").asText()).build();
    }

    static SimpleResponse response(JsonNode question) {
        var builder = SimpleResponse.Builder.status(question.get("status").asInt());
        for (var header : question.get("responseHeaders").properties())
            builder.withHeader(header.getKey(), header.getValue().asText());
        if (!question.has("body")) return builder.build();
        return builder.withContentType(question.get("contentType").asText()).withBody(question.get("body").asText()).build();
    }

    static void answer(Object answer) throws Exception {
        System.out.println("answer " + mapper.writeValueAsString(answer));
    }
}
