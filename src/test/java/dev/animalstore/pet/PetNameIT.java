package dev.animalstore.pet;

import io.quarkus.test.junit.QuarkusIntegrationTest;

@QuarkusIntegrationTest
class PetNameIT extends PetNameTest {}
