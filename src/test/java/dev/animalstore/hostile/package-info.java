/**
 * Integration tests of clients that attack or misbehave: random requests, guessed keys, slow or unread connections, unfinished heads, and
 * attempts to find secrets in responses, logs or metrics.
 */
package dev.animalstore.hostile;
