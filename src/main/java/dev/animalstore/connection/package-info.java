/**
 * The connections of clients: what each may use, and what is corrected in the head of a request before Vert.x reads it.
 *
 * <p>A connection ends if no whole request arrives within the idle timeout, or if its client reads too slowly while many do. A response that
 * does not wait for the body of its request says that it closes the connection. Only a production start has these limits.
 */
package dev.animalstore.connection;
