package dev.animalstore.admin;

import io.quarkus.test.junit.QuarkusIntegrationTest;

@QuarkusIntegrationTest
class ChangeIT extends ChangeTest {}
