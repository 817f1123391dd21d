package dev.animalstore;

import dev.animalstore.operator.api.AdminResourceTest;
import dev.animalstore.store.BrokenTableTest;
import dev.animalstore.store.ListTest;
import dev.animalstore.store.pet.CreatePetTest;
import dev.animalstore.web.OpenApiDocumentTest;
import io.quarkus.test.junit.QuarkusIntegrationTest;
import org.junit.jupiter.api.Tag;

// Tests of the API that also run against the packaged application, in the profile "full": they show what a native
// executable lacks. They are no nested classes, which Quarkus would run as unit tests. The file has the name of a class
// in it, without which Maven would compile all tests each time.

@Tag("long")
@QuarkusIntegrationTest
class OpenApiDocumentIT extends OpenApiDocumentTest {}

@Tag("long")
@QuarkusIntegrationTest
class AdminResourceIT extends AdminResourceTest {}

@Tag("long")
@QuarkusIntegrationTest
class BrokenTableIT extends BrokenTableTest {}

@Tag("long")
@QuarkusIntegrationTest
class ListIT extends ListTest {}

@Tag("long")
@QuarkusIntegrationTest
class CreatePetIT extends CreatePetTest {}
