/**
 * Integration tests of outages: PostgreSQL or Redis is killed, hangs, refuses, loses its data or fails over while replicas serve requests.
 * The enums of this package describe how each fault is caused and how it ends.
 */
package dev.animalstore.fault;
