/**
 * The operators' API: {@code dev.animalstore.operator} over HTTP and JSON, and usage as JSON or CSV. It is under {@code /admin}, with
 * tokens of its own, and not part of the public interface and its document.
 */
package dev.animalstore.operator.api;
