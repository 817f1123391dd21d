package dev.animalstore.store;

import io.quarkus.test.junit.QuarkusIntegrationTest;
import org.junit.jupiter.api.Tag;

// As in OpenApiDocumentIT.

@Tag("native")
@QuarkusIntegrationTest
class ListIT extends ListTest {}
