/**
 * Tests of what a deployment relies on: Kubernetes manifests, configuration from every source, schema migrations, and the rights of the
 * roles in PostgreSQL and of the user in Redis.
 */
package dev.animalstore.deployment;
