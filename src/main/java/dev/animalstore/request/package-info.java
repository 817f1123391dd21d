/**
 * What a client sent, read strictly, and who the gate says it is: query parameters, and bodies of at most 64 KiB that hold one JSON object.
 *
 * <p>Jackson binds a body to a record. Its settings refuse every conversion between types, members of the same name and trailing content. Then
 * Bean Validation checks the constraints of the record. A refusal names every member that is wrong, in the order of the record, whatever is
 * wrong with it.
 *
 * <p>Own code does only what neither of them does:
 *
 * <ul>
 *   <li>A value that Jackson's settings refuse, a number beyond its type and {@code null} end the binding with an exception, of which its
 *       {@code DeserializationProblemHandler} is not asked. {@link dev.animalstore.request.MemberDeserializer} notes them instead.
 *   <li>Jackson ignores white space around the name of a constant, and takes times in other spellings than RFC 3339.
 *   <li>Bean Validation counts UTF-16 units, not code points, and knows less white space: {@link dev.animalstore.request.Text}.
 *   <li>Jakarta REST takes the first of several query parameters of the same name, drops empty ones, and responds with 404 to one that it
 *       cannot convert: {@link dev.animalstore.request.QueryParameters} reads their text.
 * </ul>
 */
package dev.animalstore.request;
