/**
 * What holds for every request before anything reads it: what a connection may use, what is corrected in a head before Vert.x reads it, which
 * requests are refused without any work, their identifiers, whose path each is for ({@link dev.animalstore.http.Area}), the address of the client, and the order of filters.
 *
 * <p>A connection processes one request at a time. It ends if no whole request arrives within the idle timeout, if it has waited longest for
 * one while there are too many, or if its client does not read while many do not. A response that does not wait for the body of its request
 * says that it closes the connection. Only a production start has these limits, and corrects heads.
 */
package dev.animalstore.http;
