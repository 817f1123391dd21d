/**
 * Compares the service with its OpenAPI document. Every exchange of every test that runs inside Quarkus is recorded and checked, and
 * well-known tools check the packaged application by the document alone.
 */
package dev.animalstore.contract;
