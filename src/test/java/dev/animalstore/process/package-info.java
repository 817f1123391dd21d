/**
 * Programs that tests start as processes, and stop, kill or hang: the packaged application (a replica), PostgreSQL, Redis, a Redis Cluster,
 * a browser, and command-line tools.
 */
package dev.animalstore.process;
