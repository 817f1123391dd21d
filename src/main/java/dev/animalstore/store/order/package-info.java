/** Orders of the store, read only: another system writes their table. They are listed like pets, in pages, optionally of one status. */
package dev.animalstore.store.order;
