/**
 * The OpenAPI document against the service. Every exchange of every test that runs inside Quarkus is recorded and checked for conformance to
 * the document, and well-known tools check the packaged application by the document alone.
 */
package dev.animalstore.contract;
