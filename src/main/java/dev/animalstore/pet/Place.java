package dev.animalstore.pet;

import java.util.Optional;

/**
 * Where in the catalogue a page is.
 *
 * @param status the status of its pets, or empty for pets of any
 * @param after the identifier after which it begins
 * @param limit how many pets it holds at most
 */
record Place(Optional<PetStatus> status, long after, int limit) {}
