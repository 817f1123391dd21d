package dev.animalstore.web;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.AnnotationIntrospector;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedClass;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.NopAnnotationIntrospector;
import io.quarkus.jackson.ObjectMapperCustomizer;
import jakarta.inject.Singleton;
import java.time.temporal.Temporal;

/** Keeps the members of this application's own records as documented, whatever names, dates and nulls an adopter's settings of Jackson want. */
@Singleton
public final class EngineJson implements ObjectMapperCustomizer {
    @Override
    public void customize(ObjectMapper mapper) {
        AnnotationIntrospector usual = mapper.getSerializationConfig().getAnnotationIntrospector();
        mapper.setAnnotationIntrospector(AnnotationIntrospector.pair(usual, new AsDocumented()));
    }

    /** What holds unless an annotation says otherwise. */
    private static final class AsDocumented extends NopAnnotationIntrospector {
        private static final long serialVersionUID = 1;
        private static final String OWN = "dev.animalstore.";

        @Override
        public Object findNamingStrategy(AnnotatedClass type) {
            // An instance, since a native executable has no constructor of the class.
            return isOwn(type.getRawType()) ? PropertyNamingStrategies.LOWER_CAMEL_CASE : null;
        }

        @Override
        public JsonInclude.Value findPropertyInclusion(Annotated annotated) {
            return annotated instanceof AnnotatedClass && isOwn(annotated.getRawType())
                    ? JsonInclude.Value.construct(JsonInclude.Include.ALWAYS, JsonInclude.Include.ALWAYS)
                    : null;
        }

        @Override
        public JsonFormat.Value findFormat(Annotated annotated) {
            return annotated instanceof AnnotatedMember member
                            && isOwn(member.getDeclaringClass())
                            && Temporal.class.isAssignableFrom(member.getRawType())
                    ? JsonFormat.Value.forShape(JsonFormat.Shape.STRING)
                    : null;
        }

        private static boolean isOwn(Class<?> type) {
            return type.getName().startsWith(OWN);
        }
    }
}
