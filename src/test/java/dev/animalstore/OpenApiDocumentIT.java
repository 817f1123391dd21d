package dev.animalstore;

import dev.animalstore.operator.api.AdminResourceTest;
import dev.animalstore.web.openapi.OpenApiDocumentTest;
import io.quarkus.test.junit.QuarkusIntegrationTest;
import org.junit.jupiter.api.Tag;

// Tests of the API that also run against a native executable: they show what it lacks. They are no nested classes,
// since Quarkus would run those as unit tests. The file has the name of a class in it; otherwise Maven would compile
// all tests each time.

@Tag("native")
@QuarkusIntegrationTest
class OpenApiDocumentIT extends OpenApiDocumentTest {}

@Tag("native")
@QuarkusIntegrationTest
class AdminResourceIT extends AdminResourceTest {}
