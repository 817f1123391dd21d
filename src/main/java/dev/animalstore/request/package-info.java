/**
 * Strict reading of requests: query parameters, and bodies of at most 64 KiB that contain one JSON object; and the identity of the caller.
 *
 * <p>Jackson binds a body to a record. Its settings refuse every type conversion, duplicate members and trailing content. Then Bean
 * Validation checks the constraints of the record. A refusal names every invalid member, in the order of the record.
 *
 * <p>Own code covers only what neither of them does:
 * <ul>
 * <li>A value that Jackson's settings refuse, a number beyond its type and {@code null} end the binding with an exception, without a call
 * of {@code DeserializationProblemHandler}. {@link dev.animalstore.request.MemberDeserializer} records them instead.
 * <li>Jackson ignores white space around the name of a constant, and accepts times in other formats than RFC 3339.
 * <li>Bean Validation counts UTF-16 units instead of code points, and knows less white space: {@link dev.animalstore.request.Text}.
 * <li>Jakarta REST takes the first of several query parameters with the same name, drops empty ones, and responds with 404 to one that it
 * cannot convert: {@link dev.animalstore.request.QueryParameters} reads the text.
 * </ul>
 */
package dev.animalstore.request;
