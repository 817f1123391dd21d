/**
 * Orders of the store, to be read only: another system writes their table. Served like pets, a page at a time, optionally of one status.
 */
package dev.animalstore.order;
