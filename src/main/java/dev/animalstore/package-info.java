/** What concerns the application as a whole: its start and end, its clock, and the document that describes it. */
package dev.animalstore;
