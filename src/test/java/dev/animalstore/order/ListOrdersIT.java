package dev.animalstore.order;

import io.quarkus.test.junit.QuarkusIntegrationTest;

@QuarkusIntegrationTest
class ListOrdersIT extends ListOrdersTest {}
