/**
 * The example: a store of animals, written as in any Quarkus service (docs/your-service.md). It knows nothing of keys and quotas: what reaches it was
 * admitted.
 */
package dev.animalstore.store;
