/**
 * What holds for every request before anything reads it: which requests are refused without any work, their identifiers, whose path each is
 * for ({@link dev.animalstore.http.Area}), the address of the client, and the order of filters.
 *
 * <p>A connection processes one request at a time. It ends if its client does not read the response before, if no whole request arrives
 * within the idle timeout, or if it has waited longest for one while there are too many. Only a production start counts connections, holds
 * back pipelined requests, and corrects heads.
 */
package dev.animalstore.http;
