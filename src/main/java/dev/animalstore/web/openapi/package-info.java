/**
 * The OpenAPI document, and what Swagger UI needs to show it. Quarkus scans the resources of a service, but not the engine's own, and adds what is in
 * its {@code META-INF/openapi.yaml}. {@link dev.animalstore.web.openapi.ApiOperations} completes both at build time by what holds for every
 * operation, so a resource is documented without a line of YAML. The packages of the engine are excluded from the scan but for this one, in which
 * Quarkus looks for the filters.
 */
package dev.animalstore.web.openapi;
