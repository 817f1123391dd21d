/** Clients that send many requests to one or more replicas, and the record of every request: its status, headers and time. */
package dev.animalstore.load;
