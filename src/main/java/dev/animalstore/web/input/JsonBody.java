package dev.animalstore.web.input;

/**
 * A record that a body is bound to. Its components are the members; their types and constraints define what a client may send. A component
 * is {@code null} if its member is absent, so none has a primitive type. A component whose member may be {@code null} is an {@code
 * Optional} of a time.
 */
public interface JsonBody {}
