package dev.animalstore.store.pet;

import dev.animalstore.web.error.Code;

/** The error codes of the catalogue, in addition to those of every operation. */
public enum PetError implements Code {
    PET_NOT_FOUND(404),
    GONE(410),
    IDEMPOTENCY_MISMATCH(422);

    private final int status;

    PetError(int status) {
        this.status = status;
    }

    @Override
    public int status() {
        return status;
    }
}
