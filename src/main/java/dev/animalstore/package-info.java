/** What concerns the application as a whole: its start, its clock, and the document that describes it. */
package dev.animalstore;
