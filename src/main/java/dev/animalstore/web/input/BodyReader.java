package dev.animalstore.web.input;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyName;
import com.fasterxml.jackson.databind.ser.std.TokenBufferSerializer;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import dev.animalstore.web.error.ApiException;
import dev.animalstore.web.error.ErrorCode;
import dev.animalstore.web.error.Reasons;
import dev.animalstore.web.http.Area;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.vertx.ext.web.RoutingContext;
import jakarta.validation.Validator;
import jakarta.validation.ValidatorFactory;
import jakarta.ws.rs.ConstrainedTo;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.RuntimeType;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.ext.MessageBodyReader;
import jakarta.ws.rs.ext.Provider;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import org.hibernate.validator.constraints.Range;
import org.jboss.resteasy.reactive.server.core.CurrentRequestManager;

/**
 * Reads bodies of JSON ({@link StrictJson}). The members of a record, and of a record in it, are converted one by one, and Bean Validation
 * checks the constraints of each, then the record the rest ({@link Checked}), so that one response names all that is wrong. Any other class is
 * converted as a whole.
 *
 * <p>A component is {@code null} if its member is absent. A member that is {@code null} is refused, unless its component is an {@link Optional}.
 */
@Provider
@ConstrainedTo(RuntimeType.SERVER)
@Consumes(MediaType.APPLICATION_JSON)
// Jackson creates it by reflection.
@RegisterForReflection(targets = TokenBufferSerializer.class)
public final class BodyReader implements MessageBodyReader<Object> {
    private static final String BYTE_ORDER_MARK = "\ufeff";
    private static final String NUL = "must not contain U+0000";

    private final ObjectMapper json;
    private final Validator validator;
    private final Reasons reasonsOf;

    BodyReader(ObjectMapper usual, ValidatorFactory validation) {
        json = StrictJson.of(usual);
        validator = validation.getValidator();
        reasonsOf = new Reasons(validation);
    }

    @Override
    public boolean isReadable(Class<?> type, Type generic, Annotation[] annotations, MediaType mediaType) {
        return !Area.isOutside(CurrentRequestManager.get().unwrap(RoutingContext.class));
    }

    @Override
    public Object readFrom(
            Class<Object> type,
            Type generic,
            Annotation[] annotations,
            MediaType mediaType,
            MultivaluedMap<String, String> headers,
            InputStream body) {
        try {
            // Jackson itself replaces some octets that are no UTF-8 by other characters.
            ByteBuffer octets = ByteBuffer.wrap(body.readAllBytes());
            String text = StandardCharsets.UTF_8.newDecoder().decode(octets).toString();
            String unmarked = text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
            return read(json.constructType(generic), json.readValue(unmarked, TokenBuffer.class));
        } catch (IOException malformed) {
            throw new ApiException(ErrorCode.MALFORMED_JSON, Mismatch.malformed(malformed));
        }
    }

    /**
     * The record of some members by name, as a body with them would be read.
     *
     * @throws ApiException {@code validation_failed} with the reason for each invalid member
     */
    public <T extends Record> T read(Class<T> type, Map<String, ?> members) {
        return type.cast(read(json.constructType(type), json.convertValue(members, TokenBuffer.class)));
    }

    /** The reason for a component and for each of its elements that violates a constraint. Of several reasons, it always has the same. */
    private Map<String, String> violations(Class<?> type, String component, Object value, String path) {
        Map<String, String> reasons = new TreeMap<>();
        for (var violation : validator.validateValue(type, component, value)) {
            String place = path + Reasons.place(violation).substring(component.length());
            reasons.merge(place, reasonsOf.reason(violation), BinaryOperator.minBy(Comparator.naturalOrder()));
        }
        return reasons;
    }

    /** Whether a text or the name of a member has the character U+0000, which PostgreSQL cannot store. */
    private static boolean hasNul(TokenBuffer sent) {
        if (sent == null) {
            return false;
        }
        try (JsonParser parser = sent.asParser()) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if ((token == JsonToken.VALUE_STRING || token == JsonToken.FIELD_NAME)
                        && parser.getText().indexOf('\0') >= 0) {
                    return true;
                }
            }
            return false;
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private Object read(JavaType type, TokenBuffer sent) {
        Map<String, String> reasons = new LinkedHashMap<>();
        Object body = value(type, sent, "", reasons);
        if (reasons.isEmpty() && !type.isRecordType() && hasNul(sent)) {
            reasons.put("The body", NUL);
        }
        if (!reasons.isEmpty()) {
            throw ApiException.invalidFields(reasons);
        }
        return body;
    }

    /** The value of a type; {@code null}, with a reason for its path, if what was sent is none. JSON's {@code null} is Jackson's. */
    private Object value(JavaType type, TokenBuffer sent, String path, Map<String, String> reasons) {
        int before = reasons.size();
        try {
            if (sent != null && type.isRecordType() && sent.firstToken() == JsonToken.START_OBJECT) {
                checkMembers(type, sent, path, reasons);
            } else if (sent == null && !type.hasRawClass(Optional.class)) {
                reasons.put(path.isEmpty() ? "The body" : path, Mismatch.requirement(type, json));
            }
            return reasons.size() > before
                    ? null
                    : sent == null ? Optional.empty() : json.readValue(sent.asParser(), type);
        } catch (IOException refused) {
            Mismatch mismatch = Mismatch.of(refused, path, type, json);
            reasons.put(mismatch.path(), mismatch.reason());
            return null;
        }
    }

    private void checkMembers(JavaType type, TokenBuffer sent, String path, Map<String, String> reasons)
            throws IOException {
        Map<String, TokenBuffer> members = json.readValue(sent.asParser(), new TypeReference<>() {});
        var components = json.getDeserializationConfig().introspect(type).findProperties();
        components.forEach(component -> component.findAliases().stream()
                .map(PropertyName::getSimpleName)
                .filter(alias -> members.containsKey(alias) && !members.containsKey(component.getName()))
                .forEach(alias -> members.put(component.getName(), members.remove(alias))));
        Map<String, TokenBuffer> unknown = new LinkedHashMap<>(members);
        components.forEach(component -> unknown.remove(component.getName()));
        if (!type.getRawClass().isAnnotationPresent(JsonIgnoreProperties.class)) {
            unknown.keySet().forEach(name -> reasons.put(Mismatch.join(path, name), "is unknown"));
        }
        Map<String, TokenBuffer> valid = new LinkedHashMap<>();
        for (var component : components) {
            if (component.getConstructorParameter() == null) {
                // It is derived from others, and what was sent is ignored.
                continue;
            }
            int before = reasons.size();
            String name = Mismatch.join(path, component.getName());
            JavaType required = component.getPrimaryType();
            boolean isSent = members.containsKey(component.getName());
            Object value = isSent ? value(required, members.get(component.getName()), name, reasons) : null;
            if (value != null || !isSent) {
                reasons.putAll(violations(type.getRawClass(), component.getInternalName(), value, name));
                if (value == null && required.isPrimitive()) {
                    reasons.putIfAbsent(name, "is required");
                }
            }
            Range range = component.getConstructorParameter().getAnnotation(Range.class);
            if (range != null && reasons.getOrDefault(name, "").startsWith(Mismatch.BOUNDS)) {
                // The bounds of the type are wider.
                reasons.put(name, Mismatch.BOUNDS + range.min() + " to " + range.max());
            }
            if (value != null
                    && reasons.size() == before
                    && !required.isRecordType()
                    && hasNul(members.get(component.getName()))) {
                reasons.put(name, NUL);
            }
            if (isSent && reasons.size() == before) {
                valid.put(component.getName(), members.get(component.getName()));
            }
        }
        if (Checked.class.isAssignableFrom(type.getRawClass())) {
            Checked whole = json.convertValue(valid, type);
            whole.reasons(members.keySet())
                    .forEach((name, reason) -> reasons.putIfAbsent(Mismatch.join(path, name), reason));
        }
    }
}
