package dev.animalstore.request;

/** Marks the type of a resource's parameter that is read from the body, which {@link BodyFilter} receives beforehand. */
public interface Received {}
