/** The application as a whole: its start and exit, its clock, and the servers in its OpenAPI document. */
package dev.animalstore;
