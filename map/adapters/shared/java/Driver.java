import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.openapitools.client.ApiClient;

/** Asks the generated client the questions in questions.json. The arguments are the names of its API classes. */
public class Driver {
    static final ObjectMapper mapper = ApiClient.createDefaultObjectMapper();

    public static void main(String[] classNames) throws Exception {
        for (JsonNode question : new ObjectMapper().readTree(new File("questions.json"))) {
            Object answer = question.has("literal") ? judge(question, classNames) : call(question, classNames);
            System.out.println("answer " + new ObjectMapper().writeValueAsString(answer));
        }
    }

    static Object call(JsonNode question, String[] classNames) throws Exception {
        Method method = methodOf(question, classNames).orElse(null);
        if (method == null) return null;
        ApiClient client = new ApiClient();
        if (question.get("isLocated").asBoolean()) client.updateBaseUri(question.get("baseUrl").asText());
        List<Object> given = new ArrayList<>();
        for (var parameter : method.getParameters()) {
            JsonNode value = argument(question, parameter.getName());
            given.add(value == null ? null : Values.build(parameter.getParameterizedType(), value, new ArrayList<>()));
        }
        Object api = method.getDeclaringClass().getConstructor(ApiClient.class).newInstance(client);
        try {
            return Map.of("value", mapper.writeValueAsString(method.invoke(api, given.toArray())));
        } catch (InvocationTargetException error) {
            return Map.of("error", ("" + error.getCause()).strip().replaceAll("\\s+", " "));
        }
    }

    /** A request and a schema are set, and a response is read and written again. */
    static Object judge(JsonNode question, String[] classNames) throws Exception {
        JsonNode literal = question.get("literal");
        Method method = methodOf(question, classNames).orElse(null);
        if (question.has("operation") && method == null) return missing;
        List<String> problems = new ArrayList<>(), absent = new ArrayList<>();
        if (!question.has("operation")) {
            Class<?> model = modelOf(question.get("schema").asText());
            if (model == null) return missing;
            Values.build(model, literal, problems);
        } else if (!"response".equals(question.path("side").asText())) {
            Values.build(method.getGenericParameterTypes()[method.getParameterCount() - 1], literal, problems);
        } else {
            try {
                Object value = mapper.readValue(literal.toString(), mapper.constructType(method.getGenericReturnType()));
                JsonNode written = mapper.readTree(mapper.writeValueAsString(value));
                // An object has null for a member that is absent.
                written.fieldNames().forEachRemaining(name -> {
                    if (literal.isObject() && !literal.has(name) && written.get(name).isNull()) absent.add(name);
                });
                if (written instanceof ObjectNode object) object.remove(absent);
                if (!written.equals(literal)) problems.add("it is read as " + written);
            } catch (com.fasterxml.jackson.core.JsonProcessingException error) {
                problems.add(error.getOriginalMessage());
            }
        }
        if (problems.isEmpty()) return Map.of("isAccepted", true);
        return Map.of("isAccepted", false, "line", problems.get(0));
    }

    static final Object missing = Map.of("isAccepted", false, "isMissing", true);

    static Class<?> modelOf(String name) {
        try {
            return Class.forName("org.openapitools.client.model." + name);
        } catch (ClassNotFoundException error) {
            return null;
        }
    }

    /** The method without headers and information, which has the fewest parameters. */
    static Optional<Method> methodOf(JsonNode question, String[] classNames) throws Exception {
        String name = question.path("operationId").asText(question.path("operation").asText());
        List<Method> methods = new ArrayList<>();
        for (String className : classNames)
            for (Method method : Class.forName("org.openapitools.client.api." + className).getMethods())
                if (method.getName().equals(name)) methods.add(method);
        return methods.stream().min(Comparator.comparing(Method::getParameterCount));
    }

    /** A parameter that has no value of its own is the body, or a member of a form. */
    static JsonNode argument(JsonNode question, String name) {
        for (String group : Arrays.asList("path", "query", "header"))
            if (question.path(group).has(name)) return question.get(group).get(name);
        JsonNode body = question.get("body");
        return question.get("isForm").asBoolean() ? body.get(name) : body;
    }
}
