/**
 * Development and tests without installation: PostgreSQL and Redis as local processes, demo data, and a welcome page. Nothing of it is
 * packaged.
 */
package dev.animalstore.local;
