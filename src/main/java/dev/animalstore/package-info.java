/** The application as a whole: its start and exit, and its clock. */
package dev.animalstore;
