/** Integration tests of several replicas that share their state in PostgreSQL and Redis: quotas, keys, pets, usage and sessions. */
package dev.animalstore.replicas;
