/**
 * The example: a store of animals, written as in any Quarkus service. A fork replaces it by its own resources (docs/fork.md). It knows nothing
 * of keys and quotas: what reaches it was admitted.
 */
package dev.animalstore.store;
