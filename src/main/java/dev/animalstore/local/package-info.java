/**
 * What a machine with nothing but a JDK needs to run the service: PostgreSQL and Redis as processes beside it, demonstration data, and a
 * word of welcome. For development and tests only; nothing of it is in a package.
 */
package dev.animalstore.local;
