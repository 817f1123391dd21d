/**
 * Strict reading of requests: query parameters, and bodies of at most 64 KiB that contain one JSON object; and the identity of the caller.
 *
 * <p>{@link dev.animalstore.web.input.Binding} converts no type to another, and Bean Validation checks the constraints of the record. It counts
 * UTF-16 units instead of code points, and knows less white space, so {@link dev.animalstore.web.input.Text} is a constraint of this package.
 *
 * <p>Query parameters are in the signature of the operation that reads them. Their types parse them ({@code fromString}) and refuse what is
 * malformed with 400, while Jakarta REST alone would respond with 404.
 */
package dev.animalstore.web.input;
