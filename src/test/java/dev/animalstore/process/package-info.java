/**
 * Programs that a test starts as processes of their own and stops, kills or hangs: the packaged application (a replica), PostgreSQL, Redis, a
 * Redis Cluster, a browser, and command-line tools.
 */
package dev.animalstore.process;
