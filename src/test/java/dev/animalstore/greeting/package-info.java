/**
 * The resource of the README, in a package of its owner's. The helper of {@code contract} compares its responses with the document, as those of every
 * other.
 */
package dev.animalstore.greeting;
