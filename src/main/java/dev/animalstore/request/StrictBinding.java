package dev.animalstore.request;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.deser.BeanDeserializerModifier;
import com.fasterxml.jackson.databind.deser.DeserializationProblemHandler;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import java.io.IOException;
import java.time.Instant;
import java.util.regex.Pattern;

/** Jackson's data binding with its strictest settings and a {@link MemberDeserializer} for each member. */
final class StrictBinding {
    /** The size of a body, so that a long number gets its own error, and a long name is ignored like others. Jackson parses neither twice. */
    private static final StreamReadConstraints LENGTHS = StreamReadConstraints.builder()
            .maxNumberLength(BodySize.MAXIMUM_BYTES)
            .maxNameLength(BodySize.MAXIMUM_BYTES)
            .build();

    private static final ObjectReader STRICT = JsonMapper.builder(
                    JsonFactory.builder().streamReadConstraints(LENGTHS).build())
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
            .disable(DeserializationFeature.WRAP_EXCEPTIONS)
            .withCoercionConfigDefaults(coercions -> {
                for (CoercionInputShape shape : CoercionInputShape.values()) {
                    coercions.setCoercion(shape, CoercionAction.Fail);
                }
            })
            // An absent member is null, and a null member is an empty Optional.
            .addModule(new Jdk8Module().configureReadAbsentAsNull(true))
            .addModule(new SimpleModule()
                    .addDeserializer(Instant.class, new Rfc3339Deserializer())
                    .setDeserializerModifier(new Members()))
            .addHandler(new UnknownMembers())
            .build()
            .reader();

    private static final ClassValue<ObjectReader> READERS = new ClassValue<>() {
        @Override
        protected ObjectReader computeValue(Class<?> type) {
            return STRICT.forType(type);
        }
    };

    private StrictBinding() {}

    /** A reader of one body, which records its errors. */
    static ObjectReader of(Class<?> type, Faults faults) {
        return READERS.get(type).withAttribute(Faults.class, faults);
    }

    private static final class Members extends BeanDeserializerModifier {
        private static final long serialVersionUID = 1;

        @Override
        public JsonDeserializer<?> modifyDeserializer(
                DeserializationConfig config, BeanDescription bean, JsonDeserializer<?> deserializer) {
            return new MemberDeserializer(deserializer, null);
        }

        @Override
        public JsonDeserializer<?> modifyEnumDeserializer(
                DeserializationConfig config, JavaType type, BeanDescription bean, JsonDeserializer<?> deserializer) {
            return new MemberDeserializer(deserializer, null);
        }
    }

    /** Records members that the record does not have, unless it ignores them. */
    private static final class UnknownMembers extends DeserializationProblemHandler {
        /** Control characters and unpaired surrogates. */
        private static final Pattern UNSHOWN = Pattern.compile("[\\p{Cc}\\p{Cs}]");

        @Override
        public boolean handleUnknownProperty(
                DeserializationContext context,
                JsonParser parser,
                JsonDeserializer<?> deserializer,
                Object beanOrClass,
                String name)
                throws IOException {
            Faults.of(context).add(shown(name), "is unknown");
            parser.skipChildren();
            return true;
        }

        /** A name from a client, without characters that are not printable text. */
        private static String shown(String name) {
            return name.isEmpty() ? "\"\"" : UNSHOWN.matcher(name).replaceAll("\ufffd");
        }
    }
}
