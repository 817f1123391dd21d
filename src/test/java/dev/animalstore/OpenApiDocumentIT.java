package dev.animalstore;

import io.quarkus.test.junit.QuarkusIntegrationTest;

@QuarkusIntegrationTest
class OpenApiDocumentIT extends OpenApiDocumentTest {}
