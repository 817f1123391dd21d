/**
 * Clients that send many requests to one or more replicas, in a closed loop (each waits for its response) or an open loop (a fixed rate),
 * and the record of every request: its status, headers and time.
 */
package dev.animalstore.load;
