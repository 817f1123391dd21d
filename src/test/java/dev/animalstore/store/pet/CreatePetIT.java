package dev.animalstore.store.pet;

import io.quarkus.test.junit.QuarkusIntegrationTest;
import org.junit.jupiter.api.Tag;

@Tag("native")
@QuarkusIntegrationTest
class CreatePetIT extends CreatePetTest {}
