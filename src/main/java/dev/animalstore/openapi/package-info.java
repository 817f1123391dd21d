/** Serves the OpenAPI document, which is written by hand, with the configured server addresses, and what Swagger UI needs to show it. */
package dev.animalstore.openapi;
