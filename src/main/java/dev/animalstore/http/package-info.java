/**
 * What holds for every request before anything reads it: the limits of connections, which requests are refused without any work, their
 * identifiers, whose path each is for ({@link dev.animalstore.http.Area}), the address of the client, and the order of filters.
 *
 * <p>Only a production start limits connections, holds back pipelined requests, and corrects heads.
 */
package dev.animalstore.http;
