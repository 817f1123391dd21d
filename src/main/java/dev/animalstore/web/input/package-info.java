/**
 * Strict reading of requests under {@code /v1}, {@code /admin} and {@code /console}: query parameters, and bodies of at most 64 KiB, whatever they are
 * read as.
 *
 * <p>{@link dev.animalstore.web.input.BodyReader} reads any record or class from JSON, converts no type to another, and names all invalid members
 * of a record. Bean Validation counts UTF-16 units instead of code points, and knows less white space, so {@link dev.animalstore.web.input.Text} is
 * a constraint of this package.
 *
 * <p>Query parameters are in the signature of the operation that reads them. Their types parse them ({@code fromString}) and say what is
 * wrong with them; an enumeration has the names of JSON.
 */
package dev.animalstore.web.input;
