package dev.animalstore.pet;

import io.quarkus.test.junit.QuarkusIntegrationTest;

@QuarkusIntegrationTest
class CreatePetIT extends CreatePetTest {}
