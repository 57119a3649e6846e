import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.openapitools.client.model.AbstractOpenApiSchema;

/** Makes values of the generated classes as a user does: by their constructors and setters. What cannot be set is a problem. */
class Values {
    static Object build(Type type, JsonNode node, List<String> problems) throws ReflectiveOperationException {
        if (node.isNull()) return null;
        if (type instanceof ParameterizedType list && node.isArray() && list.getRawType() == List.class) {
            List<Object> items = new ArrayList<>();
            for (JsonNode item : node) items.add(build(list.getActualTypeArguments()[0], item, problems));
            return items;
        }
        if (type instanceof Class<?> model) {
            if (AbstractOpenApiSchema.class.isAssignableFrom(model)) return branch(model, node, problems);
            if (model.isEnum()) return constant(model, node, problems);
            if (model.getName().startsWith("org.openapitools.client.model.") && node.isObject())
                return object(model, node, problems);
            Object value = new ObjectMapper().convertValue(node, Object.class);
            if (model == Long.class && value instanceof Integer number) return number.longValue();
            if (model.isInstance(value)) return value;
        }
        problems.add(node + " is no " + type.getTypeName());
        return null;
    }

    static Object object(Class<?> model, JsonNode node, List<String> problems) throws ReflectiveOperationException {
        Object made = model.getConstructor().newInstance();
        for (Map.Entry<String, JsonNode> member : node.properties()) {
            Method setter = null;
            for (Method method : model.getMethods()) {
                JsonProperty property = method.getAnnotation(JsonProperty.class);
                boolean isNamed = property != null && property.value().equals(member.getKey());
                if (isNamed && method.getName().startsWith("set")) setter = method;
            }
            // The annotations of a member that may be absent and null are at a setter of another type, which is not for users.
            if (setter != null && setter.getName().endsWith("_JsonNullable"))
                setter = plain(model, setter.getName().replace("_JsonNullable", ""));
            if (setter == null) problems.add(model.getSimpleName() + " has no setter of " + member.getKey());
            else setter.invoke(made, build(setter.getGenericParameterTypes()[0], member.getValue(), problems));
        }
        return made;
    }

    static Method plain(Class<?> model, String name) {
        for (Method method : model.getMethods()) if (method.getName().equals(name)) return method;
        return null;
    }

    static Object constant(Class<?> model, JsonNode node, List<String> problems) {
        for (Object constant : model.getEnumConstants())
            if (new ObjectMapper().valueToTree(constant).equals(node)) return constant;
        problems.add(model.getName() + " has no " + node);
        return null;
    }

    /** A class for `oneOf` takes an object of one of its branches. */
    static Object branch(Class<?> model, JsonNode node, List<String> problems) throws ReflectiveOperationException {
        Map<?, ?> branches = ((AbstractOpenApiSchema) model.getConstructor().newInstance()).getSchemas();
        Class<?> best = null;
        List<String> fewest = null;
        for (Object branch : branches.values()) {
            List<String> found = new ArrayList<>();
            build((Class<?>) branch, node, found);
            if (fewest != null && fewest.size() <= found.size()) continue;
            fewest = found;
            best = (Class<?>) branch;
        }
        problems.addAll(fewest);
        return model.getConstructor(best).newInstance(build(best, node, new ArrayList<>()));
    }
}
