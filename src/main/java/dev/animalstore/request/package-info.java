/**
 * What a client sent, read strictly, and who the gate says it is: query parameters, and bodies of at most 64 KiB that hold one JSON object without duplicate members or
 * trailing content, whose members have exactly the JSON type that is asked for.
 *
 * <p>Jackson's data binding stops at the first mismatch and cannot tell an absent member from {@code null}; the interface promises a
 * message that names every offending field, and gives absence and {@code null} different meanings. So Jackson parses, and a resource's
 * record takes its members from a {@link dev.animalstore.request.RequestBody} that collects what is wrong with them.
 */
package dev.animalstore.request;
