package dev.animalstore.error;

import io.quarkus.test.junit.QuarkusIntegrationTest;

@QuarkusIntegrationTest
class MalformedJsonIT extends MalformedJsonTest {}
