package dev.animalstore;

import dev.animalstore.error.BodyTest;
import dev.animalstore.error.ErrorsTest;
import dev.animalstore.openapi.OpenApiDocumentTest;
import dev.animalstore.operator.api.AdminResourceTest;
import dev.animalstore.page.ListTest;
import dev.animalstore.pet.CreatePetTest;
import io.quarkus.test.junit.QuarkusIntegrationTest;

// Tests of the API that also run against the packaged application. They are no nested classes, which Quarkus would run
// as unit tests. The file has the name of a class in it, without which Maven would compile all tests each time.

@QuarkusIntegrationTest
class OpenApiDocumentIT extends OpenApiDocumentTest {}

@QuarkusIntegrationTest
class AdminResourceIT extends AdminResourceTest {}

@QuarkusIntegrationTest
class BodyIT extends BodyTest {}

@QuarkusIntegrationTest
class ErrorsIT extends ErrorsTest {}

@QuarkusIntegrationTest
class ListIT extends ListTest {}

@QuarkusIntegrationTest
class CreatePetIT extends CreatePetTest {}
