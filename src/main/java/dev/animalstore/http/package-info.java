/**
 * What holds for every request before anything reads it: which requests are refused without any work, their identifiers, whose path each is
 * for ({@link dev.animalstore.http.Area}), the address of the client, and the order of filters.
 *
 * <p>A connection processes one request at a time, and none while its client does not read the response before. It ends if nothing moves on it
 * for the idle timeout, or if it has waited longest for its client while there are too many. Only a production start counts connections, holds
 * back pipelined requests, and corrects heads.
 */
package dev.animalstore.http;
