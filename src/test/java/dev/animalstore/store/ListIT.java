package dev.animalstore.store;

import io.quarkus.test.junit.QuarkusIntegrationTest;
import org.junit.jupiter.api.Tag;

// As in OpenApiDocumentIT.

@Tag("long")
@QuarkusIntegrationTest
class ListIT extends ListTest {}

@Tag("long")
@QuarkusIntegrationTest
class BrokenTableIT extends BrokenTableTest {}
