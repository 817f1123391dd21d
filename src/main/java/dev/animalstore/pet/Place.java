package dev.animalstore.pet;

import java.util.Optional;

/**
 * The position of a page in the catalogue.
 *
 * @param status the status of its pets; empty for all
 * @param after the identifier after which it begins
 * @param limit the maximum number of pets
 */
record Place(Optional<PetStatus> status, long after, int limit) {}
