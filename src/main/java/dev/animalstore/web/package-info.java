/**
 * What every resource shares: error bodies, strict input, pages of lists, lists that are exact in memory, what holds for each request before anything reads it; and here the OpenAPI
 * document, which is written by hand, with the configured server addresses, and what Swagger UI needs to show it.
 */
package dev.animalstore.web;
