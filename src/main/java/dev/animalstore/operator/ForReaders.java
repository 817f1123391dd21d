package dev.animalstore.operator;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Whether operators who may change nothing may use an operation. By default those of {@code GET} are for them, and others are not. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface ForReaders {
    boolean value() default true;
}
