/**
 * Development and tests without installation: PostgreSQL and Redis as local processes, and demo data. Nothing of it is packaged.
 */
package dev.animalstore.local;
