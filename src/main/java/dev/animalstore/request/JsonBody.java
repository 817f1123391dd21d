package dev.animalstore.request;

/**
 * A record that a body is bound to. Its components are the members, and their types and constraints say what a client may send. A component
 * is {@code null} if its member is absent, so none has a primitive type; one whose member may be {@code null} is an {@code Optional}.
 */
public interface JsonBody extends Received {}
